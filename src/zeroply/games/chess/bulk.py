"""Chess moves over many boards at once, by array operations that NumPy and torch share.

Shapes: B boards. Codes and columns as in `zeroply.games.chess`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zeroply.games.arrays import arange, cast, int64, like, namespace, nonzero
from zeroply.games.base import Array, MoveTable
from zeroply.games.chess.table import JUMPS, SLIDES, shifted

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
NOWHERE = 64
"""A square off the board; boards get a 65th, always empty square for it."""


def _squares(steps: list[tuple[int, int]]) -> NDArray[np.int64]:
    """[64, len(steps)] the square that each step leads to, or NOWHERE."""
    reached = [[shifted(square, *step) for step in steps] for square in range(64)]
    return np.array([[NOWHERE if end is None else end for end in ends] for ends in reached], np.int64)


RAYS = np.stack([_squares([(f * n, r * n) for n in range(1, 8)]) for f, r in SLIDES], axis=1)
"""[64, 8, 7] squares seen from a square in each direction, nearest first."""
KNIGHTS = _squares(JUMPS)
PAWNS = np.stack([_squares([(-1, -1), (1, -1)]), _squares([(-1, 1), (1, 1)])])
"""[2, 64, 2] where White's, then Black's pawns stand that attack a square."""
BESIDE = _squares([(-1, 0), (1, 0)])

RIGHTS_KEPT = np.ones((64, 4), np.int8)
"""[64, 4] the castling rights (K Q k q) that survive a move from or to a square."""
for _square, _lost in {4: (0, 1), 7: (0,), 0: (1,), 60: (2, 3), 63: (2,), 56: (3,)}.items():
    RIGHTS_KEPT[_square, _lost] = 0

_rng = np.random.Generator(np.random.PCG64(1968))
PIECE_KEYS = _rng.integers(-(2**63), 2**63 - 1, (64, 13), np.int64)
"""[64, 13] Zobrist keys by square and piece code + 6."""
PIECE_KEYS[:, 6] = 0
STATE_KEYS = _rng.integers(-(2**63), 2**63 - 1, 16 + 64 + 1 + 2, np.int64)
"""Keys of the 16 sets of rights, then of 64 en-passant squares and none, then of White and Black to move."""


def attacked(board: Array, square: Array, by: Array) -> Array:
    """[B] whether side `by` (1 White, -1 Black) attacks square[i] on board[i]; board [B, 64]."""
    xp = namespace(board)
    walled = xp.concatenate([board, xp.zeros_like(board[:, :1])], axis=1) * by[:, None]
    row = arange(len(board), board)[:, None]
    pawns = like(PAWNS, board)[(by < 0) * 1, square]
    hit = (walled[row, pawns] == PAWN).any(axis=1)
    hit = hit | (walled[row, like(KNIGHTS, board)[square]] == KNIGHT).any(axis=1)
    seen = walled[row[:, :, None], like(RAYS, board)[square]]  # [B, 8, 7]
    first = ((seen != 0) * 1).argmax(-1)  # a ray of empty squares gives 0, an empty square: no piece
    piece = (
        xp.take_along_axis(seen, first[..., None], -1)[..., 0]
        if xp is np
        else seen.gather(-1, first[..., None])[..., 0]
    )
    straight, diagonal = piece[:, :4], piece[:, 4:]
    hit = hit | ((straight == ROOK) | (straight == QUEEN)).any(axis=1)
    hit = hit | ((diagonal == BISHOP) | (diagonal == QUEEN)).any(axis=1)
    return hit | ((piece == KING) & (first == 0)).any(axis=1)


class ChessSteps:
    """B games advanced in step. The columns of `state` are changed in place."""

    key: Array

    def __init__(self, table: MoveTable, state: dict[str, Array]) -> None:
        self.state = state
        board = state["board"]
        self._start, self._end = like(table.start, board), like(table.end, board)
        self._promotion = like(table.promotion, board)
        self._kept = like(RIGHTS_KEPT, board)
        self._piece_keys, self._state_keys = like(PIECE_KEYS, board), like(STATE_KEYS, board)
        squares = arange(64, board)
        pieces = self._piece_keys[squares, int64(board) + 6]  # [B, 64]
        self._placement = pieces[:, 0]
        for square in range(1, 64):
            self._placement = self._placement ^ pieces[:, square]
        self._update_key()

    def keep(self, count: int) -> None:
        self.state = {name: column[:count] for name, column in self.state.items()}
        self._placement, self.key = self._placement[:count], self.key[:count]

    def _update_key(self) -> None:
        rights, turn = int64(self.state["rights"]), int64(self.state["turn"])
        en_passant = int64(self.state["en_passant"])
        packed = rights[:, 0] + 2 * rights[:, 1] + 4 * rights[:, 2] + 8 * rights[:, 3]
        keys = self._state_keys
        self.key = self._placement ^ keys[packed] ^ keys[16 + en_passant % 65] ^ keys[81 + turn]

    def step(self, move: Array) -> None:
        state, xp = self.state, namespace(move)
        board = state["board"]
        games = arange(len(board), board)
        start, end, promotion = self._start[move], self._end[move], self._promotion[move]
        side = 1 - 2 * int64(state["turn"])
        piece, captured = int64(board[games, start]), int64(board[games, end])
        placed = xp.where(promotion > 0, side * (promotion + 1), piece)
        pawn = abs(piece) == PAWN

        keys = self._piece_keys
        self._placement = (
            self._placement ^ keys[start, piece + 6] ^ keys[end, captured + 6] ^ keys[end, placed + 6]
        )
        board[games, start] = 0
        board[games, end] = cast(placed, board)
        self._take_en_passant(nonzero(pawn & (end == int64(state["en_passant"]))), end, side)
        self._move_rook(nonzero((abs(piece) == KING) & (abs(end - start) == 2)), start, end, side)

        state["rights"] *= self._kept[start] * self._kept[end]
        quiet = ~pawn & (captured == 0)
        state["halfmove"][:] = xp.where(quiet, state["halfmove"] + 1, 0 * state["halfmove"])
        state["en_passant"][:] = -1
        state["turn"][:] = 1 - state["turn"]
        state["ply"] += 1
        self._offer_en_passant(nonzero(pawn & (abs(end - start) == 16)), end, side)
        self._update_key()

    def _place(self, games: Array, square: Array, code: Array) -> None:
        """Put piece codes (0 to clear) on squares of the named games, with the hash."""
        board, keys = self.state["board"], self._piece_keys
        before = int64(board[games, square])
        self._placement[games] ^= keys[square, before + 6] ^ keys[square, code + 6]
        board[games, square] = cast(code, board)

    def _take_en_passant(self, games: Array, end: Array, side: Array) -> None:
        if len(games):
            self._place(games, end[games] - 8 * side[games], 0 * games)

    def _move_rook(self, games: Array, start: Array, end: Array, side: Array) -> None:
        if not len(games):
            return
        king, short = end[games], end[games] > start[games]
        xp = namespace(king)
        self._place(games, xp.where(short, king + 1, king - 2), 0 * games)
        self._place(games, xp.where(short, king - 1, king + 1), ROOK * side[games])

    def _offer_en_passant(self, games: Array, end: Array, side: Array) -> None:
        """Note the square behind a double step if some pawn may legally take there."""
        for beside in (0, 1):
            if not len(games):
                return
            board = self.state["board"]
            target, mover = end[games] - 8 * side[games], -side[games]
            taker = like(BESIDE, board)[end[games], beside]
            on_board = nonzero(taker < NOWHERE)
            found = nonzero(board[games[on_board], taker[on_board]] == PAWN * mover[on_board])
            pick = on_board[found]
            if not len(pick):
                continue
            after, row = board[games[pick]], arange(len(pick), board)
            after[row, taker[pick]] = 0
            after[row, end[games[pick]]] = 0
            after[row, target[pick]] = cast(PAWN * mover[pick], board)
            king = ((after == cast(KING * mover[pick], board)[:, None]) * 1).argmax(-1)
            legal = pick[nonzero(~attacked(after, king, -cast(mover[pick], board)))]
            self.state["en_passant"][games[legal]] = cast(target[legal], board)
