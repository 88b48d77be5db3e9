"""Elo differences and their intervals."""

from __future__ import annotations

import json
import math
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from zeroply.evals.elo import elo_of, estimate
from zeroply.evals.student import t_below, t_within

points = st.sampled_from([0.0, 0.5, 1.0])


def test_elo_of_a_score() -> None:
    assert elo_of(0.5) == 0
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(0.75) == pytest.approx(190.848501)
    assert elo_of(0.0) is None
    assert elo_of(1.0) is None


def test_interval_is_that_of_the_pentanomial() -> None:
    # Pairs by points 0, ½, 1, 1½, 2, as test frameworks of engines report them.
    counts = {0.0: 3, 0.5: 12, 1.0: 40, 1.5: 30, 2.0: 15}
    pairs = [(min(1.0, total), max(0.0, total - 1)) for total, count in counts.items() for _ in range(count)]
    found = estimate(pairs)
    mean = sum(total / 2 * count for total, count in counts.items()) / 100
    variance = sum((total / 2 - mean) ** 2 * count for total, count in counts.items()) / 99
    likely = 1.984217**2 * variance / 100  # Student's t with 99 degrees of freedom
    assert found.score == pytest.approx(mean)
    for bound in (found.score_low, found.score_high):  # Wilson's: the spread is that at the bound
        there = likely * bound * (1 - bound) / (mean * (1 - mean))
        assert (bound - mean) ** 2 == pytest.approx(there)
    assert found.score_low < mean < found.score_high
    assert found.elo == pytest.approx(-400 * math.log10(1 / mean - 1))
    assert found.elo_low == pytest.approx(-400 * math.log10(1 / found.score_low - 1))
    t = (mean - 0.5) / math.sqrt(variance / 100)
    assert found.los == pytest.approx(0.5 * math.erfc(-t / math.sqrt(2)), abs=2e-3)


@pytest.mark.parametrize(
    ("freedom", "t"),
    [(1, 12.706205), (2, 4.302653), (4, 2.776445), (9, 2.262157), (24, 2.063899), (99, 1.984217)],
)
def test_students_t_is_that_of_the_tables(freedom: int, t: float) -> None:
    assert t_within(0.95, freedom) == pytest.approx(t, rel=1e-6)
    assert t_below(t, freedom) == pytest.approx(0.975, abs=1e-6)
    assert t_below(-t, freedom) == pytest.approx(0.025, abs=1e-6)
    assert t_below(0, freedom) == 0.5


def test_paired_games_tell_more_than_their_number() -> None:
    # Every opening is won by the same colour: the players are equal, and that is known exactly but for luck.
    paired = estimate([(1.0, 0.0)] * 50)
    single = estimate([(1.0,)] * 50 + [(0.0,)] * 50)
    assert paired.score == single.score == 0.5
    assert paired.score_high - paired.score_low < single.score_high - single.score_low


def test_repeating_an_opening_adds_no_certainty() -> None:
    once = estimate([(1.0, 0.5), (0.5, 0.0), (1.0, 1.0)])
    thrice = estimate([(1.0, 0.5) * 3, (0.5, 0.0) * 3, (1.0, 1.0) * 3])
    assert asdict(thrice) == pytest.approx(asdict(once))


def test_unbeaten_and_winless_give_one_sided_values() -> None:
    unbeaten, winless = estimate([(1.0, 1.0)] * 10), estimate([(0.0, 0.0)] * 10)
    assert (unbeaten.elo, unbeaten.elo_high) == (None, None)
    assert (winless.elo, winless.elo_low) == (None, None)
    # 0.025 ** 0.1: a player that wins every opening with this chance has ten in a row in one case of forty.
    assert unbeaten.score_low == pytest.approx(0.691503)
    assert unbeaten.elo_low == pytest.approx(-400 * math.log10(1 / 0.691503 - 1), abs=1e-3)
    assert winless.elo_high == pytest.approx(-unbeaten.elo_low if unbeaten.elo_low else math.nan)
    assert unbeaten.los > 0.99
    assert winless.los < 0.01


@given(st.integers(1, 80), st.sampled_from([0.0, 0.5, 1.0, 1.5]), st.integers(1, 5))
def test_a_worse_result_than_all_won_has_no_better_bound(pairs: int, total: float, worse: int) -> None:
    """49 pairs won and one of 1½ points was once thought to prove more than 50 of 50."""
    best = estimate([(1.0, 1.0)] * pairs)
    some = min(worse, pairs)
    other = estimate([(1.0, 1.0)] * (pairs - some) + [(total / 2, total / 2)] * some)
    assert other.score_low <= best.score_low
    assert other.los <= best.los


def test_one_pair_proves_little() -> None:
    drawn = estimate([(0.5, 0.5)])
    assert drawn.score_low < 0.05
    assert drawn.score_high > 0.95
    assert drawn.los == 0.5


@given(st.lists(st.lists(points, min_size=1, max_size=3), min_size=1, max_size=30))
def test_any_result_is_finite_json_and_lies_in_its_interval(groups: list[list[float]]) -> None:
    found = estimate(groups)
    json.dumps(asdict(found), allow_nan=False)
    assert 0 <= found.score_low <= found.score <= found.score_high <= 1
    assert 0 <= found.los <= 1
    mirrored = estimate([[1 - point for point in group] for group in groups])
    assert mirrored.score_low == pytest.approx(1 - found.score_high)
    assert mirrored.los == pytest.approx(1 - found.los)


def pairs_of(
    kind: str, mean: float, size: tuple[int, int], random: np.random.Generator
) -> NDArray[np.float64]:
    """[matches, pairs, 2] points at a mean score: games of few or many draws, or both alike in each pair."""
    drawn = {"decisive": 0.1, "drawish": 0.5, "alike": 0.0}[kind]
    draws = min(drawn, 2 * min(mean, 1 - mean))
    points = random.choice([0.0, 0.5, 1.0], (*size, 2), p=[1 - mean - draws / 2, draws, mean - draws / 2])
    return np.repeat(points[:, :, :1], 2, axis=2) if kind == "alike" else points


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [5, 10, 25, 100])
@pytest.mark.parametrize("mean", [0.5, 0.8, 0.97])
@pytest.mark.parametrize("kind", ["decisive", "drawish", "alike"])
def test_the_interval_holds_the_truth_as_often_as_it_says(kind: str, mean: float, pairs: int) -> None:
    matches = pairs_of(kind, mean, (1000, pairs), np.random.default_rng(5)).tolist()
    found = [estimate(match) for match in matches]
    share = sum(one.score_low <= mean <= one.score_high for one in found) / len(found)
    assert share >= 0.93
    if pairs == 100 and mean < 0.9:  # and it is no wider than it must be
        assert share < 0.97
