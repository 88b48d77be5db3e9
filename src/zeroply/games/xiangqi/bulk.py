"""Xiangqi moves over many boards at once, by array operations that NumPy and torch share.

Shapes: B boards. Codes and columns as in `zeroply.games.xiangqi`.
"""

from __future__ import annotations

import numpy as np

from zeroply.games.arrays import arange, int64, like, namespace
from zeroply.games.base import Array, MoveTable
from zeroply.games.xiangqi.pieces import GENERAL
from zeroply.games.xiangqi.table import SQUARES

_rng = np.random.Generator(np.random.PCG64(2086))
PIECE_KEYS = _rng.integers(-(2**63), 2**63 - 1, (SQUARES, 2 * GENERAL + 1), np.int64)
"""[90, 15] Zobrist keys by square and piece code + 7."""
PIECE_KEYS[:, GENERAL] = 0
TURN_KEYS = _rng.integers(-(2**63), 2**63 - 1, 2, np.int64)
"""Keys of Red and Black to move."""


class XiangqiSteps:
    """B games advanced in step. The columns of `state` are changed in place."""

    key: Array

    def __init__(self, table: MoveTable, state: dict[str, Array]) -> None:
        self.state = state
        board = state["board"]
        self._start, self._end = like(table.start, board), like(table.end, board)
        self._piece_keys, self._turn_keys = like(PIECE_KEYS, board), like(TURN_KEYS, board)
        pieces = self._piece_keys[arange(SQUARES, board), int64(board) + GENERAL]  # [B, 90]
        self._placement = pieces[:, 0]
        for square in range(1, SQUARES):
            self._placement = self._placement ^ pieces[:, square]
        self._update_key()

    def keep(self, count: int) -> None:
        self.state = {name: column[:count] for name, column in self.state.items()}
        self._placement, self.key = self._placement[:count], self.key[:count]

    def _update_key(self) -> None:
        self.key = self._placement ^ self._turn_keys[int64(self.state["turn"])]

    def step(self, move: Array) -> None:
        state, keys = self.state, self._piece_keys
        board = state["board"]
        games = arange(len(board), board)
        start, end = self._start[move], self._end[move]
        piece, captured = board[games, start], board[games, end]
        own, taken = int64(piece) + GENERAL, int64(captured) + GENERAL
        self._placement = self._placement ^ keys[start, own] ^ keys[end, taken] ^ keys[end, own]
        board[games, start] = 0
        board[games, end] = piece
        quiet = captured == 0
        state["halfmove"][:] = namespace(move).where(quiet, state["halfmove"] + 1, 0 * state["halfmove"])
        state["turn"][:] = 1 - state["turn"]
        state["ply"] += 1
        self._update_key()

    def settle(self, rows: dict[str, Array], keys: Array) -> None:
        """Every step leaves states and keys complete."""
