"""Ratings by maximum likelihood, and ladders that are climbed for them."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.sources import CHESS
from zeroply.errors import ZeroplyError
from zeroply.evals.bands import by_dimension
from zeroply.evals.charts import ladder_svg
from zeroply.evals.elo import elo_of, estimate, expected
from zeroply.evals.ladder import LadderResult, near, play_ladder
from zeroply.evals.match_file import MatchFile
from zeroply.evals.openings import random_openings
from zeroply.evals.played import PlayedGame
from zeroply.evals.rating import rating
from zeroply.evals.rungs import Climb
from zeroply.players import Player
from zeroply.players.simple import RandomPlayer

BUGGY = Path(__file__).parent.parent / "players" / "buggy_engine.py"


def test_against_one_opponent_it_is_the_closed_form() -> None:
    points = [(1.0, 0.5), (0.5, 0.0), (1.0, 1.0), (0.0, 0.5)] * 5
    found = rating([[(1500.0, one), (1500.0, other)] for one, other in points])
    score = estimate(points).score
    assert found.elo is not None
    assert found.elo == pytest.approx(1500 + (elo_of(score) or math.nan))
    # The same spread over pairs, seen along the tangent of the curve of scores; Student's t of 19.
    variance = sum(((a + b) / 2 - score) ** 2 for a, b in points) / 19
    margin = 2.093024 * math.sqrt(variance / 20) / (score * (1 - score) * math.log(10) / 400)
    assert found.low == pytest.approx(found.elo - margin)
    assert found.high == pytest.approx(found.elo + margin)
    assert (found.chi_square, found.freedom) == (None, 0)


def test_a_scale_that_does_not_fit_makes_the_interval_wider() -> None:
    """Half the points at each of three rungs 400 apart, where a rating expects 91, 50 and 9 %."""
    half = [(1.0, 0.0), (0.5, 0.5), (1.0, 1.0), (0.0, 0.0)] * 3
    flat = [[(rung, a), (rung, b)] for rung in (1400.0, 1800.0, 2200.0) for a, b in half]
    found = rating(flat)
    one = rating([[(1800.0, points) for _, points in group] for group in flat])
    assert found.elo == one.elo == pytest.approx(1800)
    assert found.freedom == 2
    assert found.chi_square is not None
    # By hand: 24 games a rung; groups of 1, 1, 2 and 0 points, spread ½ times their number, 11 of 12 free.
    shares = [expected(400), 0.5, expected(-400)]
    chance = sum(24 * share * (1 - share) for share in shares)
    spread = 3 * 12 * 0.5 / (chance * 11 / 12)
    wanted = sum((12 - 24 * share) ** 2 / (spread * 24 * share * (1 - share)) for share in shares)
    assert found.chi_square == pytest.approx(wanted)
    assert found.chi_square > 20
    fits = 2.034515 * math.sqrt(spread / chance) / (math.log(10) / 400)  # Student's t of 33
    assert found.high is not None
    assert found.high - 1800 == pytest.approx(fits * math.sqrt(wanted / 2), rel=1e-6)


def test_an_upset_where_nothing_was_open_says_nothing_about_the_scale() -> None:
    """One game in four lost to somebody 900 Elo weaker, beside 36 as they were expected."""
    even = [(1.0, 0.0), (0.5, 0.5), (1.0, 1.0), (0.0, 0.0)] * 3
    better = [(1.0, 1.0), (1.0, 0.5), (1.0, 0.0), (1.0, 1.0)] * 3
    near = [[(1800.0, a), (1800.0, b)] for a, b in even] + [[(1600.0, a), (1600.0, b)] for a, b in better]
    found = rating([*near, [(900.0, 1.0), (900.0, 0.0)], [(900.0, 1.0), (900.0, 1.0)]])
    fits = rating([*near, [(900.0, 1.0), (900.0, 1.0)], [(900.0, 1.0), (900.0, 1.0)]])
    assert found.freedom == fits.freedom == 1
    assert found.chi_square is not None
    assert found.chi_square < 3  # alone the rung would bring more than a hundred


def test_rungs_that_tell_little_at_the_top_and_alone_count_too() -> None:
    even = [[(1800.0, a), (1800.0, b)] for a, b in [(1.0, 0.0), (0.5, 0.5), (1.0, 1.0), (0.0, 0.0)] * 3]
    found = rating([*even, [(2700.0, 1.0), (2700.0, 0.0)], [(2700.0, 0.0), (2700.0, 0.0)]])
    assert (found.chi_square, found.freedom) == (None, 0)
    few = rating([[(1500.0, 1.0), (1500.0, 0.0)], [(2300.0, 0.0), (2300.0, 0.0)]])
    assert (few.chi_square, few.freedom) == (None, 0)


@pytest.mark.slow
def test_chi_square_is_what_chance_makes_it() -> None:
    """On a ladder of which the ends were climbed twice for form's sake, as ladders are."""
    random, truth = np.random.default_rng(4), 1830.0
    pairs = {1350: 2, 1550: 20, 1750: 20, 1950: 20, 2150: 20, 2350: 2, 2550: 2, 2750: 2}
    rungs = np.repeat([*pairs], [*pairs.values()])
    shares = np.array([expected(truth - rung) for rung in rungs])
    found = []
    for _ in range(200):
        points = (random.random((2, len(rungs))) < shares).astype(float)
        found.append(rating([[(float(r), a), (float(r), b)] for r, a, b in zip(rungs, *points, strict=True)]))
    over = [one.chi_square / one.freedom for one in found if one.chi_square is not None]
    assert len(over) == 200
    assert {one.freedom for one in found} <= {3, 4}
    assert np.mean(over) == pytest.approx(1, abs=0.15)
    assert np.mean(np.array(over) > 2.6) < 0.08  # 5 % of chi-squares of 3 are more


def test_it_is_where_the_likelihood_is_highest() -> None:
    games = [(1400.0, 1.0), (1600.0, 1.0), (1600.0, 0.5), (1800.0, 0.0), (2000.0, 0.5), (2000.0, 0.0)]

    def likelihood(mine: float) -> float:
        shares = [(points, expected(mine - theirs)) for theirs, points in games]
        return sum(points * math.log(share) + (1 - points) * math.log(1 - share) for points, share in shares)

    assert rating([[game] for game in games]).elo == pytest.approx(
        max(range(1000, 2500), key=likelihood), abs=1
    )


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    random, truth, rungs = np.random.default_rng(3), 1830.0, np.repeat([1350, 1550, 1750, 1950, 2150], 12)
    held = 0
    for _ in range(200):
        shares = np.array([expected(truth - rung) for rung in rungs])
        points = (random.random((2, len(rungs))) < shares).astype(float)
        groups = [[(float(rung), a), (float(rung), b)] for rung, a, b in zip(rungs, *points, strict=True)]
        found = rating(groups)
        held += found.low is not None and found.high is not None and found.low <= truth <= found.high
    assert 0.93 < held / 200 < 0.99


def test_unbeaten_and_winless_have_one_end() -> None:
    found, low, high, _, _ = rating([[(2000.0, 1.0), (2000.0, 1.0)]] * 10)
    assert (found, high) == (None, None)
    # As in a match: 0.025 ** 0.1 of the points.
    assert low == pytest.approx(2000 + (elo_of(0.691503) or math.nan), abs=0.01)
    assert low is not None
    worse = rating([[(2000.0, 1.0), (2000.0, 1.0)]] * 9 + [[(2000.0, 1.0), (2000.0, 0.5)]])
    assert worse.low is not None
    assert worse.low <= low  # nor does one half point less prove more
    found, low, high, _, _ = rating([[(2000.0, 0.0), (2000.0, 0.0)]] * 10)
    assert (found, low) == (None, None)
    assert high == pytest.approx(2000 - (elo_of(0.691503) or math.nan), abs=0.01)


def climb_of(*rungs: int) -> Climb:
    return Climb("a scale", rungs, lambda rung: RandomPlayer(rung, name=f"random {rung}"))


def climb(
    games: int, *rungs: int, file: MatchFile | None = None, workers: int = 1, a: Player | None = None
) -> LadderResult:
    starts = random_openings(CHESS, games // 2)
    us = a or RandomPlayer(1)
    return play_ladder(us, climb_of(*rungs), CHESS, games, starts, ply_limit=16, file=file, workers=workers)


def numbers(games: Sequence[PlayedGame]) -> list[int]:
    return [one.number for one in games]


def test_every_rung_has_two_pairs_and_near_ones_the_rest() -> None:
    found = climb(20, 1000, 1500, 2000)  # all are drawn by the limit of plies, so the rating is in the middle
    assert {rung: len(own) for rung, own in found.rungs.items()} == {1000: 4, 1500: 12, 2000: 4}
    every = sorted(number for own in found.rungs.values() for number in numbers(own))
    assert every == list(range(20))
    summary = found.summary()
    assert summary["elo"] == pytest.approx(1500)
    assert (summary["n"], summary["pairs"], summary["draws"], summary["scale"]) == (20, 10, 20, "a scale")
    rungs = by_dimension(summary)["rung"]
    assert {rung: own["n"] for rung, own in rungs.items()} == {"1000": 4, "1500": 12, "2000": 4}
    assert all(own["score"] == 0.5 for own in rungs.values())


def test_near_rungs_are_those_that_tell_something() -> None:
    rungs = [1350, 1550, 1750, 1950]
    assert near(rungs, (1500.0, 1400.0, 1600.0)) == [1350, 1550, 1750]
    assert near(rungs, (None, 1900.0, None)) == [1550, 1750, 1950]
    assert near(rungs, (None, 2600.0, None)) == [1950]


def test_it_goes_on_from_its_file(tmp_path: Path) -> None:
    class Stopping(RandomPlayer):
        def choose_by(self, positions: Sequence[object], lots: Sequence[object]) -> list[int]:
            raise KeyboardInterrupt

    whole = climb(24, 1000, 1200)
    with MatchFile(tmp_path / "l.pgn", CHESS, {}).opened() as file:
        climb(8, 1000, 1200, file=file)
    with MatchFile(tmp_path / "l.pgn", CHESS, {}).opened() as file:
        assert climb(24, 1000, 1200, file=file).summary() == whole.summary()
    with MatchFile(tmp_path / "l.pgn", CHESS, {}).opened() as file:
        again = climb(24, 1000, 1200, file=file, a=Stopping(1))  # nobody is asked
    assert again.summary() == whole.summary()


def test_too_few_games_and_engines_without_strengths_are_refused() -> None:
    with pytest.raises(
        ZeroplyError,
        match=r"4 games are too few for 3 rungs: .* --games 6, or for fewer rungs: a larger --step",
    ):
        climb(4, 1, 2, 3)
    buggy = f"{sys.executable} {BUGGY}"
    with pytest.raises(ZeroplyError, match="buggy has no option UCI_Elo"):
        Climb.of(buggy, CHESS, nodes=10, step=100, patience=5)


@pytest.mark.engine
def test_the_scale_is_named_by_engine_and_nodes() -> None:
    found = Climb.of(None, CHESS, nodes=10_000, step=500, patience=9)
    assert found.scale.startswith("Stockfish ")
    assert found.scale.endswith(" UCI_Elo at 10,000 nodes")
    assert found.rungs[1] - found.rungs[0] == 500
    with pytest.raises(
        ZeroplyError, match=r"rungs from 10 to \d+ will not do: Stockfish .* plays at UCI_Elo"
    ):
        Climb.of("stockfish", CHESS, nodes=10, step=100, lowest=10, patience=9)


def test_the_picture_has_a_point_for_each_rung() -> None:
    root = ElementTree.fromstring(ladder_svg(climb(8, 1000, 1200).summary(), "a <net>"))  # noqa: S314  # our own
    kinds = [circle.get("class") for circle in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert kinds == ["model-0-dot"] * 2
