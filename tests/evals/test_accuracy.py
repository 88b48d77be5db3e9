"""Known answers: a net that knows the moves, one that knows nothing, one that counts."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.evals.oracles import Answer, Answers, any_legal, knows
from tests.players.nets import MaterialNet
from tests.sources import CHESS, SAMPLE
from zeroply.corpus.build import build
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.evals.accuracy import accuracy
from zeroply.evals.bands import by_dimension
from zeroply.evals.intervals import bootstrap_over_groups, wilson
from zeroply.evals.measures import joined
from zeroply.evals.positions import Sample
from zeroply.games import Rows
from zeroply.players.load import load_network

SIZE = len(CHESS.moves)


def oracle(knowledge: float) -> Answers:
    return Answers(policy=knows(knowledge))


def test_one_who_knows_is_always_right(corpus: Corpus) -> None:
    found = accuracy(oracle(1.0), Sample(corpus))
    assert found["top1"] == found["top5"] == 1.0
    assert found["nll"] == 0.0
    assert found["n"] > 1000


def test_one_who_knows_nothing_guesses_one_move(corpus: Corpus) -> None:
    found = accuracy(oracle(0.0), Sample(corpus))
    assert found["nll"] == pytest.approx(math.log(SIZE), abs=1e-4)
    assert found["top1"] < 0.02


def test_a_net_without_a_policy_ranks_the_legal_moves(corpus: Corpus) -> None:
    found = accuracy(MaterialNet("value"), Sample(corpus, limit=300))
    assert found["look"] == "successors"
    assert 0.02 < found["top1"] < found["top3"] < found["top5"] < 1
    assert found["top1_low"] is None or found["top1_low"] <= found["top1"]
    assert found["nll"] is found["nll_low"] is found["nll_high"] is None
    assert accuracy(oracle(1.0), Sample(corpus, limit=20))["look"] == "policy"


def test_a_random_mover_gets_its_expected_share(corpus: Corpus) -> None:
    rows = joined(list(Sample(corpus, Split.test, None, 0).batches(0)))
    many = CHESS.legal(rows).sum(1)
    found = accuracy(Answers(policy=any_legal()), Sample(corpus))
    for top in (1, 3, 5):
        expected = np.minimum(1, top / many).mean()
        assert found[f"top{top}_low"] <= expected <= found[f"top{top}_high"]


def test_parts_make_up_the_whole(corpus: Corpus) -> None:
    found = accuracy(Answers(policy=any_legal()), Sample(corpus))
    for dimension, bands in by_dimension(found).items():
        counts = np.array([numbers["n"] for numbers in bands.values()])
        assert counts.sum() == found["n"]
        assert len(counts) > 1
        for name in ("top1", "top3", "top5", "nll", "book_top1"):
            means = np.array([numbers[name] for numbers in bands.values()])
            assert (counts * means).sum() / found["n"] == pytest.approx(found[name]), (dimension, name)
    assert set(by_dimension(found)["phase"]) == {"opening", "middlegame", "endgame"}


def test_perplexity_is_the_choices_that_would_surprise_as_much(corpus: Corpus) -> None:
    found = accuracy(oracle(0.0), Sample(corpus))
    assert found["perplexity"] == pytest.approx(SIZE, rel=1e-3)
    assert found["perplexity_low"] == pytest.approx(math.exp(found["nll_low"]))
    assert not [name for name in found if name.startswith("nll_from")]


def one_by_one(name: str) -> Answer:
    """Answers a move's coordinate: the file left rightly for sure, others with half of the mass on the right
    one and the rest evenly; before that, things that are not about the row's own move."""

    def answer(rows: Rows) -> NDArray[Any]:
        start, end = CHESS.moves.start[rows["move"]], CHESS.moves.end[rows["move"]]
        values = {"from_x": start % 8, "from_y": start // 8, "to_x": end % 8, "to_y": end // 8}
        shares = np.full((len(start), 3, 8), 0.5 / 7)
        shares[np.arange(len(start)), -1, values[name]] = 0.5
        if name == "from_x":
            shares[:, -1] = np.eye(8)[values[name]] + 1e-9
        found: NDArray[Any] = np.log(shares)
        return found

    return answer


def test_coordinates_answered_one_by_one_are_measured_too(corpus: Corpus) -> None:
    heads = {name: one_by_one(name) for name in ("from_x", "from_y", "to_x", "to_y")}
    found = accuracy(Answers(policy=knows(0.5), **heads), Sample(corpus, limit=500))
    assert found["all_coordinates"] == 1.0
    assert found["perplexity_from_x"] == pytest.approx(1.0, abs=1e-6)
    for name in ("from_y", "to_x", "to_y"):
        assert found[f"nll_{name}"] == pytest.approx(math.log(2), abs=1e-6)
        assert found[f"perplexity_{name}"] == pytest.approx(2.0, abs=1e-5)


def test_limit_takes_so_many_positions_and_a_seed_the_same_ones(corpus: Corpus) -> None:
    one, again = (
        accuracy(oracle(0.5), Sample(corpus, limit=333)),
        accuracy(oracle(0.5), Sample(corpus, limit=333)),
    )
    assert one == again
    assert one["n"] == 333


def test_what_was_never_or_always_right_is_not_certain(corpus: Corpus) -> None:
    found = accuracy(oracle(1.0), Sample(corpus))
    assert (found["top1_low"], found["top1_high"]) == wilson(found["games"], found["games"])
    assert 0.5 < found["top1_low"] < 1.0
    assert found["nll_low"] == found["nll_high"] == 0.0  # no share


def test_one_game_gives_no_interval(corpus: Corpus) -> None:
    found = accuracy(oracle(0.5), Sample(corpus, limit=20))
    assert found["games"] == 1
    assert found["top1_low"] is None


@pytest.mark.parametrize(
    ("split", "held_back", "unseen"),
    [
        (Split.test, [("same", 0.0, 0.3)], True),
        (Split.test, [("same", 0.1, 0.2)], True),
        (Split.test, [("same", 0.0, 0.29)], False),
        (Split.test, [("same", 0.0, 0.3), ("same", 0.5, 0.0)], True),
        (Split.test, [("same", 0.0, 0.3), ("same", 0.1, 0.0)], False),
        (Split.test, [("same", 0.0, 0.3), ("other", 0.1, 0.0)], True),
        (Split.test, [("same", 0.0, 0.3), (None, 0.1, 0.0)], False),
        (Split.train, [("same", 0.0, 0.3)], False),
    ],
)
def test_games_that_training_may_have_seen_are_told(
    corpus: Corpus, split: Split, held_back: list[tuple[str | None, float, float]], unseen: bool
) -> None:
    [source] = corpus.manifest["sources"]
    net = oracle(1.0)
    corpora = [
        {
            "shares": {"validation": validation, "test": test},
            "sources": [{"sha256": source["sha256"] if file == "same" else file}],
        }
        for file, validation, test in held_back
    ]
    alike: dict[str, Any] = {"corpora": [{key: corpus.manifest[key] for key in ("shares", "sources")}]}
    for training in (
        {"corpora": corpora},
        {**alike, "before": {"corpora": corpora}},
        {**alike, "before": {**alike, "before": {"corpora": corpora}}},
    ):
        net.about = {"training": training}
        assert accuracy(net, Sample(corpus, split, limit=20))["unseen"] is unseen


def test_what_a_net_does_not_say_it_learnt_from_may_be_anything(corpus: Corpus) -> None:
    assert accuracy(oracle(1.0), Sample(corpus, limit=20))["unseen"] is False


@pytest.mark.slow
def test_a_trained_net_beats_chance_and_its_interval_holds_the_mean(corpus: Corpus, model: str) -> None:
    found = accuracy(load_network(model), Sample(corpus, limit=2000))
    assert 0.2 < found["top1_low"] < found["top1"] < found["top1_high"] < 1
    assert found["top1"] < found["top3"] < found["top5"]


def test_wilson_agrees_with_a_known_value() -> None:
    assert wilson(8, 10) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)
    assert wilson(0, 10)[0] == pytest.approx(0.0)
    assert wilson(10, 10)[1] == pytest.approx(1.0)


def test_the_bootstrap_covers_the_spread_between_games_not_positions() -> None:
    rng = np.random.default_rng(0)
    game_means = rng.normal(0, 1, 100)
    values = np.repeat(game_means, 50)[:, None]
    low, high = bootstrap_over_groups(values, np.repeat(np.arange(100), 50))
    expected = 2 * 1.96 * game_means.std() / 10
    assert high[0] - low[0] == pytest.approx(expected, rel=0.15)


def test_a_corpus_of_no_use_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    from zeroply.errors import ArtefactError

    build(tmp_path / "no-test", [SAMPLE], CHESS, shares={})
    with pytest.raises(ArtefactError, match="no games in its test part"):
        accuracy(oracle(1.0), Sample(Corpus.open(tmp_path / "no-test")))
