"""Exact legal moves of many positions at once. Shapes: B positions, M moves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.games.base import MoveTable, Rows
from zeroply.games.chess import CHESS
from zeroply.games.chess.kernel import mark_all


def _numbers(table: MoveTable) -> NDArray[np.int16]:
    """[64, 64] the number of the move from a square to another without promotion, -1 if there is none."""
    numbers = np.full((64, 64), -1, np.int16)
    plain = np.flatnonzero(table.promotion == 0)
    numbers[table.start[plain], table.end[plain]] = plain
    return numbers


BLOCK = 4096
"""Positions whose legal moves are listed together: eight megabytes."""
NUMBERS = _numbers(CHESS.moves)


def legal(rows: Rows) -> NDArray[np.bool_]:
    """[B, M] bool; rows are NumPy columns of positions with one king a side."""

    def column(name: str) -> NDArray[np.int8]:
        return np.ascontiguousarray(rows[name], np.int8)  # one type and layout: compiled once

    found = np.zeros((len(rows["board"]), len(CHESS.moves)), np.bool_)
    mark_all(column("board"), column("turn"), column("rights"), column("en_passant"), NUMBERS, found)
    return found


def allows(rows: Rows, moves: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """[B] whether each move is legal in its position."""
    found = np.zeros(len(moves), np.bool_)
    for at in range(0, len(moves), BLOCK):
        some = moves[at : at + BLOCK]
        block = {name: rows[name][at : at + BLOCK] for name in CHESS.columns}
        found[at : at + BLOCK] = legal(block)[np.arange(len(some)), some]
    return found
