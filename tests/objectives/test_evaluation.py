"""Seed 003's scale of evaluations, against its own words, and the loss on it."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from zeroply.corpus.evaluation import centipawns, mate
from zeroply.corpus.score import LONGEST_MATE, MATE, MOST_CENTIPAWNS, NO_EVALUATION
from zeroply.objectives.evaluation import EvaluationMSE
from zeroply.objectives.evaluation_scale import preference, scaled


def on_scale(*stored: int) -> list[float]:
    found = scaled(np.array(stored, np.int16))
    theirs = scaled(torch.tensor(stored, dtype=torch.int16))
    np.testing.assert_allclose(theirs.numpy(), found, rtol=1e-6)  # written once for both
    return [float(value) for value in found]


def test_mates_run_from_4_in_one_move_to_four_thirds_in_fifteen() -> None:
    wanted = {1: 4.0, 2: 4 - 8 / 42, 8: 4 - 7 * 8 / 42, 15: 4 / 3, 16: 4 / 3, LONGEST_MATE: 4 / 3}
    for moves, value in wanted.items():
        assert on_scale(mate(moves, for_mover=True)) == [pytest.approx(value)]
        assert on_scale(mate(moves, for_mover=False)) == [pytest.approx(-value)]


def test_a_mate_that_stands_on_the_board_counts_as_one_in_a_move() -> None:
    assert on_scale(MATE, -MATE) == [4.0, -4.0]


@given(st.integers(-40_000, 40_000))
def test_pawns_are_divided_by_fifteen_and_cut_at_4(cp: int) -> None:
    assert on_scale(centipawns(cp)) == [pytest.approx(max(-4.0, min(4.0, cp / 1500)), abs=1e-6)]


def test_the_most_pawns_are_no_mate() -> None:
    assert on_scale(MOST_CENTIPAWNS, MOST_CENTIPAWNS + 1) == [4.0, pytest.approx(4 / 3)]


@given(st.lists(st.integers(-MATE, MATE), min_size=1))
def test_what_is_better_for_one_side_is_worse_for_the_other(stored: list[int]) -> None:
    there, back = on_scale(*stored), on_scale(*(-value for value in stored))
    assert there == [-value for value in back]
    assert all(abs(value) <= 4 for value in there)


@given(st.integers(-MATE, MATE), st.integers(-MATE, MATE))
def test_whoever_chooses_by_preference_mates_and_is_not_mated(one: int, other: int) -> None:
    """No order is turned, which the scale does between pawns and late mates."""
    liked = preference(np.array([one, other], np.int16))
    assert (liked[0] - liked[1]) * (one - other) >= 0
    if abs(one) <= MOST_CENTIPAWNS:
        assert liked[0] == pytest.approx(1500 * on_scale(one)[0])
    if abs(one) <= MOST_CENTIPAWNS < other < MATE - 1:
        assert liked[0] < liked[1] or MATE - other >= 15
    sooner = preference(np.array([MATE - 3, MATE - 4], np.int16))
    assert sooner[0] - sooner[1] == pytest.approx(1500 * 8 / 42)


def loss(said: list[float], stored: list[int]) -> float:
    rows = {"evaluation": torch.tensor(stored, dtype=torch.int16)}
    return float(EvaluationMSE()({"evaluation": torch.tensor(said)}, rows))


def test_positions_without_an_evaluation_do_not_count() -> None:
    assert loss([1.0, 3.0, 9.0], [1500, 1500, NO_EVALUATION]) == pytest.approx(2.0)
    assert loss([9.0], [NO_EVALUATION]) == 0.0
