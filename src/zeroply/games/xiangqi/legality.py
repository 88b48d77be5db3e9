"""Exact legal moves of many positions at once. Shapes: B positions, M moves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zeroply.games.base import MoveTable, Rows
from zeroply.games.xiangqi import XIANGQI
from zeroply.games.xiangqi.kernel import mark_all
from zeroply.games.xiangqi.table import SQUARES


def _numbers(table: MoveTable) -> NDArray[np.int16]:
    """[90, 90] the number of the move from a square to another, -1 if there is none."""
    numbers = np.full((SQUARES, SQUARES), -1, np.int16)
    numbers[table.start, table.end] = np.arange(len(table))
    return numbers


NUMBERS = _numbers(XIANGQI.moves)


def legal(rows: Rows) -> NDArray[np.bool_]:
    """[B, M] bool; rows are NumPy columns of positions with one general a side."""

    def column(name: str) -> NDArray[np.int8]:
        return np.ascontiguousarray(rows[name], np.int8)  # one type and layout: compiled once

    found = np.zeros((len(rows["board"]), len(XIANGQI.moves)), np.bool_)
    mark_all(column("board"), column("turn"), NUMBERS, found)
    return found
