"""Elo differences and their intervals."""

from __future__ import annotations

import json
import math
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroply.evals.elo import elo_of, estimate

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
    margin = 1.959964 * math.sqrt(variance / 100)
    assert found.score == pytest.approx(mean)
    assert found.score_low == pytest.approx(mean - margin)
    assert found.score_high == pytest.approx(mean + margin)
    assert found.elo == pytest.approx(-400 * math.log10(1 / mean - 1))
    assert found.elo_low == pytest.approx(-400 * math.log10(1 / (mean - margin) - 1))
    assert found.los == pytest.approx(0.5 * math.erfc(-(mean - 0.5) / math.sqrt(2 * variance / 100)))


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


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    random = np.random.default_rng(5)
    totals = random.choice([0.0, 0.5, 1.0, 1.5, 2.0], (1000, 60), p=[0.1, 0.15, 0.3, 0.3, 0.15])
    truth = (0.15 * 0.5 + 0.3 * 1 + 0.3 * 1.5 + 0.15 * 2) / 2
    found = [estimate([(total / 2, total / 2) for total in row]) for row in totals]
    share = sum(one.score_low <= truth <= one.score_high for one in found) / len(found)
    assert 0.93 < share < 0.97
