"""Exact legal moves of many positions at once. Shapes: B positions, M moves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.games.base import MoveTable, Rows
from zeroply.games.xiangqi import XIANGQI
from zeroply.games.xiangqi.kernel import check_all, mark_all
from zeroply.games.xiangqi.table import SQUARES


def _numbers(table: MoveTable) -> NDArray[np.int16]:
    """[90, 90] the number of the move from a square to another, -1 if there is none."""
    numbers = np.full((SQUARES, SQUARES), -1, np.int16)
    numbers[table.start, table.end] = np.arange(len(table))
    return numbers


NUMBERS = _numbers(XIANGQI.moves)


def legal(rows: Rows) -> NDArray[np.bool_]:
    """[B, M] bool; rows are NumPy columns of positions with one general a side."""
    found = np.zeros((len(rows["board"]), len(XIANGQI.moves)), np.bool_)
    mark_all(_bytes(rows["board"]), _bytes(rows["turn"]), NUMBERS, found)
    return found


def allows(rows: Rows, moves: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """[B] whether each move is legal in its position, without a look at the others."""
    table, found = XIANGQI.moves, np.zeros(len(moves), np.bool_)
    start, end = _bytes(table.start[moves]), _bytes(table.end[moves])
    check_all(_bytes(rows["board"]), _bytes(rows["turn"]), start, end, found)
    return found


def _bytes(column: NDArray[Any]) -> NDArray[np.int8]:
    return np.ascontiguousarray(column, np.int8)  # one type and layout: compiled once
