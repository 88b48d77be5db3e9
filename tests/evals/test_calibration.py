"""Calibration: known answers of those who know, of those who say always the same, and of perfect chances."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.evals.oracles import Answers, knows
from tests.players.nets import MaterialNet
from tests.sources import CHESS, ROOT
from zeroply.corpus.build import build
from zeroply.corpus.score import MATE, MOST_CENTIPAWNS, Split
from zeroply.corpus.store import Corpus, packed_bytes
from zeroply.errors import ZeroplyError
from zeroply.evals.bands import by_dimension
from zeroply.evals.calibration import EVALUATIONS, calibration
from zeroply.evals.charts import calibration_svg
from zeroply.evals.measures import joined
from zeroply.evals.positions import Sample
from zeroply.evals.reliability import SHARES, curve, gap
from zeroply.games import Rows
from zeroply.objectives.evaluation_scale import scaled

LINES = """fen,line,depth,knodes,cp,mate
8/8/8/8/8/8/4P3/K1k5 w - -,e2e4 c1c2,10,5,300,
8/8/8/8/8/8/4P3/K1k5 w - -,e2e3 c1c2,10,5,200,
8/8/8/8/8/8/4P3/K1k5 w - -,a1a2 c1c2,10,5,-20,
8/8/8/8/8/8/3P4/K1k5 b - -,c1d2 a1a2,10,5,-50,
8/8/8/8/8/8/3P4/K1k5 b - -,c1c2 d2d4,10,5,100,
8/8/8/8/8/8/5P2/K1k5 b - -,c1d2 a1b2,10,5,0,
"""
"""Three positions: three lines, two, of which Black likes the first, and one."""


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    out = tmp_path_factory.mktemp("corpora") / "evals"
    build(out, [ROOT / "examples" / "evals.csv"], CHESS, shares={Split.test: 0.5})
    return Corpus.open(out)


def sure(outcome: NDArray[np.int8]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.log(np.eye(3)[outcome])
    return found


def test_one_who_knows_how_games_end_has_no_error(corpus: Corpus) -> None:
    found = calibration(Answers(policy=knows(0.5), wdl=lambda rows: sure(rows["outcome"])), Sample(corpus))
    assert found["brier"] == found["points_mse"] == found["wdl_ece"] == found["win_ece_high"] == 0
    assert set(by_dimension(found)["win"]) == {"0", "0.9"}
    assert found["came_win_0.9"] == found["said_win_0.9"] == 1.0
    assert found["results"] == found["n"]


def test_one_who_says_always_the_same_is_as_wrong_as_can_be_computed(corpus: Corpus) -> None:
    same = Answers(policy=knows(0.5), wdl=lambda rows: np.full((len(rows["move"]), 3), np.log(1 / 3)))
    found = calibration(same, Sample(corpus))
    outcome = joined(list(Sample(corpus, Split.test, None, 0).batches(0)))["outcome"]
    shares = np.bincount(outcome, minlength=3) / len(outcome)
    assert found["brier"] == pytest.approx(2 / 3, abs=1e-6)
    assert found["frequency_brier"] == pytest.approx(1 - (shares**2).sum())
    for name, share in zip(("win", "draw", "loss"), shares, strict=True):
        assert found[f"{name}_ece"] == pytest.approx(abs(1 / 3 - share), abs=1e-6)
        assert found[f"{name}_ece_low"] <= found[f"{name}_ece"] <= found[f"{name}_ece_high"]
        assert found[f"came_{name}_0.3"] == pytest.approx(share)
    assert found["wdl_ece"] == pytest.approx(abs(1 / 3 - shares).mean(), abs=1e-6)


def test_a_value_alone_is_measured_in_points(corpus: Corpus) -> None:
    found = calibration(Answers(value=lambda rows: 1 - rows["outcome"] / 2), Sample(corpus))
    assert found["points_mse"] == found["points_ece"] == 0.0
    assert "brier" not in found
    assert found["look"] == "successors"


def test_perfect_chances_are_calibrated_and_bolder_ones_are_not() -> None:
    random = np.random.default_rng(1)
    chance = random.random(200_000)
    came = (random.random(len(chance)) < chance).astype(np.float64)
    games = np.arange(len(chance)) // 50
    assert gap(chance, came, games, 0, SHARES).error < 0.005
    bold = np.where(chance > 0.5, 1.0, 0.0)  # the mean distance between a chance and the nearer end is 1/4
    assert gap(bold, came, games, 0, SHARES).error == pytest.approx(0.25, abs=0.005)
    numbers = by_dimension(curve("win", chance, came, games, 0, SHARES))["win"]
    assert list(numbers) == ["0", *(f"0.{tenth}" for tenth in range(1, 10))]
    for number, band in enumerate(numbers.values()):
        assert band["said"] == pytest.approx(number / 10 + 0.05, abs=0.005)
        assert band["came_low"] - 0.01 < band["said"] < band["came_high"] + 0.01


def test_evaluations_are_measured_on_seed_003s_scale(judged: Corpus, corpus: Corpus) -> None:
    def judge(worth: float) -> Answers:
        return Answers(evaluation=lambda rows: np.where(rows["turn"] == 0, worth, -worth))

    games = judged.games_in(Split.test)
    stored = judged.evaluations[judged.plies_of(games)].astype(np.float64)
    black = judged.positions[judged.starts[games], packed_bytes(CHESS)["turn"]][:, 0] == 1
    pawns = abs(stored) <= MOST_CENTIPAWNS
    assert 0 < (~pawns).sum() < 0.2 * len(stored)
    to_mate = np.minimum(MATE - abs(stored), 15)
    size = np.where(pawns, np.minimum(abs(stored) / 1500, 4), 4 - (to_mate - 1) * 8 / 42)
    wanted = np.sign(stored) * size
    found = calibration(judge(0.0), Sample(judged))
    assert found["evaluations"] == len(stored) == found["n"]
    assert found["evaluation_mse"] == pytest.approx((wanted**2).mean())
    whites = np.where(black, -wanted, wanted)
    assert whites.var() != pytest.approx(wanted.var())
    assert found["evaluation_variance"] == pytest.approx(whites.var())
    assert found["explained_variance"] == pytest.approx(1 - (wanted**2).mean() / whites.var())
    assert found["evaluation_mse_low"] < found["evaluation_mse"] < found["evaluation_mse_high"]
    assert found["evaluation_ece"] == pytest.approx(abs(wanted.mean()))
    best = calibration(judge(float(whites.mean())), Sample(judged))
    assert best["explained_variance"] == pytest.approx(0, abs=1e-6)
    assert calibration(judge(0.0), Sample(judged, limit=1))["explained_variance"] is None
    assert "evaluation_mse" not in calibration(judge(0.0), Sample(corpus))


def test_evaluations_off_by_a_little_are_off_by_so_much(judged: Corpus) -> None:
    def off_by(error: float) -> Answers:
        return Answers(policy=knows(0.5), evaluation=lambda rows: scaled(rows["evaluation"]) + error)

    right = calibration(off_by(0.0), Sample(judged))
    assert right["evaluation_ece"] == pytest.approx(0.0, abs=1e-6)
    assert right["explained_variance"] == pytest.approx(1.0)
    assert right["evaluations"] == right["n"]
    wrong = calibration(off_by(0.25), Sample(judged))
    assert wrong["evaluation_ece"] == pytest.approx(0.25, abs=1e-6)
    assert wrong["evaluation_mse"] == pytest.approx(0.25**2, abs=1e-5)
    assert "results" not in wrong  # evaluated positions are no games to their end


def test_the_order_of_an_engines_moves(tmp_path: Path) -> None:
    (tmp_path / "lines.csv").write_text(LINES)
    build(tmp_path / "lines", [tmp_path / "lines.csv"], CHESS, shares={Split.test: 1.0})
    corpus = Corpus.open(tmp_path / "lines")

    def ranks(sign: float) -> Answers:
        def policy(rows: Rows) -> NDArray[np.float64]:
            weights = np.full((len(rows["move"]), len(CHESS.moves)), -20.0)
            for at, lines in enumerate(rows["lines"]):
                for place, (move, _) in enumerate(lines):
                    if move >= 0:
                        weights[at, move] = -sign * place
            return weights

        return Answers(policy=policy)

    found = calibration(ranks(1.0), Sample(corpus))
    assert (found["ranked"], found["kendall_tau"]) == (2, 1.0)
    assert calibration(ranks(-1.0), Sample(corpus))["kendall_tau"] == -1.0
    # A net that counts pieces: no move takes anything where White moves, so that nothing is told apart;
    # Black's taking is the engine's choice too.
    assert calibration(MaterialNet("value"), Sample(corpus))["kendall_tau"] == 1.0


def test_where_nothing_can_be_compared_that_is_said(judged: Corpus) -> None:
    with pytest.raises(ZeroplyError, match=r"nothing to compare: the net returns policy, and .*evals has no"):
        calibration(Answers(policy=knows(0.5)), Sample(judged))


def test_the_picture_has_a_chart_for_each_thing_said(corpus: Corpus, judged: Corpus) -> None:
    net = Answers(
        policy=knows(0.5),
        wdl=lambda rows: sure(rows["outcome"]),
        evaluation=lambda rows: -0.5 + 0 * rows["ply"],
    )
    for where, names in ((corpus, ["win", "draw", "loss", "points"]), (judged, ["evaluation"])):
        root = ElementTree.fromstring(calibration_svg(calibration(net, Sample(where)), "a <net>"))  # noqa: S314  # our own
        texts = root.iter("{http://www.w3.org/2000/svg}text")
        assert [text.text for text in texts if text.get("class") == "name"] == names


def test_bins_hold_what_lies_beyond_their_ends() -> None:
    assert EVALUATIONS.of(np.array([-9.0, -4.0, -0.01, 0.0, 3.99, 4.0, 9.0])).tolist() == [
        0,
        0,
        7,
        8,
        15,
        15,
        15,
    ]
    assert [EVALUATIONS.name(number) for number in (0, 1, 8, 15)] == ["-4", "-3.5", "0", "3.5"]
