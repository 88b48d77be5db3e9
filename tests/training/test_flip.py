"""Rows flipped left and right: the same positions as those of the game flipped from its first move on."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from tests.games.xiangqi import random_line
from tests.sources import CHESS, XIANGQI, sample_games
from zeroply.games import Game, Position, stack
from zeroply.training.flip import flip, flip_all

HISTORY = 3


def rows_of(game: Game, moves: list[int]) -> dict[str, Tensor]:
    """The positions before each move, with that move."""
    position: Position = game.start()
    rows = []
    for move in moves:
        rows.append({**position.row(HISTORY), "move": np.array([move], np.int16)})
        position = position.play(move)
    stacked = {name: torch.as_tensor(column) for name, column in stack(rows).items()}
    none = torch.full((len(rows), 2), -32768, dtype=torch.int16)
    lines = torch.stack([torch.stack([stacked["move"], stacked["move"] * 0 + 9], 1), none], 1)
    return {**stacked, "outcome": torch.arange(len(rows)) % 3, "lines": lines}


def assert_same(
    found: dict[str, Tensor], wanted: dict[str, Tensor], rows: Tensor | slice = slice(None)
) -> None:
    assert found.keys() == wanted.keys()
    for name, column in wanted.items():
        assert found[name].dtype == column.dtype, name
        assert torch.equal(found[name][rows], column[rows]), name


@settings(max_examples=20)
@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=60))
def test_flipped_rows_are_those_of_the_flipped_game(picks: list[int]) -> None:
    _, moves = random_line(picks).record()
    rows = rows_of(XIANGQI, moves)
    assert XIANGQI.moves.flip is not None
    assert_same(flip_all(rows, XIANGQI), rows_of(XIANGQI, XIANGQI.moves.flip[moves].tolist()))
    assert_same(flip_all(flip_all(rows, XIANGQI), XIANGQI), rows)


@pytest.fixture(scope="module")
def rows() -> dict[str, Tensor]:
    _, moves = random_line(list(range(3, 203))).record()
    return rows_of(XIANGQI, moves)


def flipped_rows(rows: dict[str, Tensor], share: float, seed: int, step: int) -> Tensor:
    """[B] which were flipped; each row is flipped as a whole or not at all."""
    found = flip(rows, XIANGQI, share, seed, step)
    chosen = (found["move"] != rows["move"]) | (found["board"] != rows["board"]).any(1)
    assert_same(found, flip_all(rows, XIANGQI), chosen)
    assert_same(found, rows, ~chosen)
    return chosen


def test_about_a_share_is_flipped_by_seed_and_step_alone(rows: dict[str, Tensor]) -> None:
    first = flipped_rows(rows, 0.5, seed=1, step=7)
    assert 0.35 < first.float().mean() < 0.65
    torch.manual_seed(5)
    assert torch.equal(first, flipped_rows(rows, 0.5, seed=1, step=7))
    assert not torch.equal(first, flipped_rows(rows, 0.5, seed=1, step=8))
    assert not torch.equal(first, flipped_rows(rows, 0.5, seed=2, step=7))
    assert not flipped_rows(rows, 0.0, seed=1, step=7).any()
    assert flipped_rows(rows, 1.0, seed=1, step=7).all()


def test_chess_stays_as_it_is() -> None:
    rows = rows_of(CHESS, [int(move) for move in sample_games()[0].moves[:30]])
    assert flip(rows, CHESS, 0.5, seed=1, step=7) is rows
