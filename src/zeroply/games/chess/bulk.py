"""Chess moves over many boards at once, by array operations that NumPy and torch share.

Shapes: B boards. Codes and columns as in `zeroply.games.chess`.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroply.games.arrays import arange, int64, like, namespace, nonzero, take
from zeroply.games.base import Array, MoveTable, Rows
from zeroply.games.chess import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from zeroply.games.chess.table import JUMPS, SLIDES, shifted

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

CODES = 13
"""Piece codes -6 … 6. What a move does is looked up by `move * CODES + code + 6` of the piece that moves."""

RIGHTS_KEPT = np.ones((64, 4), np.int8)
"""[64, 4] the castling rights (K Q k q) that survive a move from or to a square."""
for _square, _lost in {4: (0, 1), 7: (0,), 0: (1,), 60: (2, 3), 63: (2,), 56: (3,)}.items():
    RIGHTS_KEPT[_square, _lost] = 0

PIECE_KEYS = np.random.Generator(np.random.PCG64(1968)).integers(-(2**63), 2**63 - 1, (64, CODES), np.int64)
"""[64, 13] Zobrist keys by square and piece code + 6."""
SPREAD = -7046029254386353131
"""An odd number that spreads what it multiplies over 64 bits."""


class Effects(NamedTuple):
    """What moves do. M moves; W pairs of a move and the piece that makes it, numbered as at CODES."""

    start: Array
    end: Array
    """[M] as in the move table."""
    behind: Array
    """[M] where the pawn stands that is taken en passant."""
    kept: Array
    """[M] int32, the four bytes of RIGHTS_KEPT that go with the move."""
    squares: Array
    codes: Array
    """[W, 4] the squares that change and what stands there then: start, end, and the rook's in castling."""
    keys: Array
    """[W] int64, how the piece's own move changes the hash. Rooks that castle and pieces taken need no
    part in it: no position from before comes back."""
    quiet: Array
    """[W] bool, no pawn moves."""
    passed: Array
    """[W] int8, the square that a pawn passes by a double step, else -1."""
    takes: Array
    """[W] int8, the square where a pawn takes, else NOWHERE."""


@cache
def effects(table: MoveTable) -> Effects:
    start, end, promotion = (column[:, None] for column in (table.start, table.end, table.promotion))
    code = np.arange(-KING, KING + 1)[None, :]
    side, pawn = np.sign(code), abs(code) == PAWN
    start, end, code, side = np.broadcast_arrays(start, end, code, side)
    placed = np.where(promotion > 0, side * (promotion + 1), code)
    castling = (abs(code) == KING) & (start % 8 == 4) & (abs(end - start) == 2)
    short = end > start
    # Without castling these two repeat what the king's squares say, which changes nothing.
    rook_start = np.where(castling, np.where(short, end + 1, end - 2), start)
    rook_end = np.where(castling, np.where(short, end - 1, end + 1), end)
    rook = np.where(castling, ROOK * side, placed)
    double = pawn & (abs(end - start) == 16)
    diagonal = pawn & (start % 8 != end % 8)
    return Effects(
        start=table.start,
        end=table.end,
        behind=table.start // 8 * 8 + table.end % 8,
        kept=(RIGHTS_KEPT[table.start] * RIGHTS_KEPT[table.end]).view(np.int32)[:, 0],
        squares=np.stack([start, end, rook_start, rook_end], axis=-1).reshape(-1, 4),
        codes=np.stack([0 * code, placed, 0 * code, rook], axis=-1).reshape(-1, 4).astype(np.int8),
        keys=(PIECE_KEYS[start, code + 6] ^ PIECE_KEYS[end, code + 6]).reshape(-1),
        quiet=np.broadcast_to(~pawn, start.shape).reshape(-1),
        passed=np.where(double, (start + end) // 2, -1).reshape(-1).astype(np.int8),
        takes=np.where(diagonal, end, NOWHERE).reshape(-1).astype(np.int8),
    )


def attacked(board: Array, square: Array, by: Array) -> Array:
    """[B] whether side `by` (1 White, -1 Black) attacks square[i] on board[i]; board [B, 64]."""
    return attackers(board, square, by) > 0


def attackers(board: Array, square: Array, by: Array) -> Array:
    """[B] with how many pieces it does."""
    xp = namespace(board)
    walled = xp.concatenate([board, xp.zeros_like(board[:, :1])], axis=1) * by[:, None]
    row = arange(board.shape[0], board)[:, None]  # not len: exported graphs take any number of boards
    pawns = like(PAWNS, board)[(by < 0) * 1, square]
    count = (walled[row, pawns] == PAWN).sum(axis=1)
    count += (walled[row, like(KNIGHTS, board)[square]] == KNIGHT).sum(axis=1)
    seen = walled[row[:, :, None], like(RAYS, board)[square]]  # [B, 8, 7]
    first = ((seen != 0) * 1).argmax(-1)  # a ray of empty squares gives 0, an empty square: no piece
    piece = (
        xp.take_along_axis(seen, first[..., None], -1)[..., 0]
        if xp is np
        else seen.gather(-1, first[..., None])[..., 0]
    )
    straight, diagonal = piece[:, :4], piece[:, 4:]
    count += ((straight == ROOK) | (straight == QUEEN)).sum(axis=1)
    count += ((diagonal == BISHOP) | (diagonal == QUEEN)).sum(axis=1)
    return count + ((piece == KING) & (first == 0)).sum(axis=1)


def in_check(rows: Rows) -> Array:
    """[B] whether the mover's king is attacked. NumPy or torch, also in compiled and exported graphs."""
    board, mover = rows["board"], 1 - 2 * rows["turn"]
    king = ((board == KING * mover[:, None]) * 1).argmax(-1)
    return attacked(board, king, -mover)


def rights_word(rights: Array) -> Array:
    """[B] int32, a view of the four bytes of rights [B, 4]: one operation takes all four."""
    return rights.view(namespace(rights).int32)[:, 0]


def _effects_where(table: MoveTable, board: Array) -> Effects:
    """The effects where `board` lives, taken there once: a step of training asks for them each time."""
    place = (type(board).__name__, str(board.device) if namespace(board) is not np else "")
    if place not in _EFFECTS:
        _EFFECTS[place] = Effects(*(like(values, board) for values in effects(table)))
    return _EFFECTS[place]


_EFFECTS: dict[tuple[str, str], Effects] = {}


class ChessSteps:
    """B games advanced in step. The columns of `state` are changed in place.

    Nothing here depends on what is found on the boards: on a GPU a look at it costs more than the work.
    So a double step always notes the square passed, until `settle` sees where a pawn may take there.
    """

    def __init__(self, table: MoveTable, state: dict[str, Array]) -> None:
        self.state = state
        board = state["board"]
        self._effects = _effects_where(table, board)
        self._corner = 64 * arange(len(board), board)  # a1 of each board, where all lie end to end
        self.key = 0 * self._corner  # counts from each game's own start: only its own positions are compared

    def keep(self, count: int) -> None:
        self.state = {name: column[:count] for name, column in self.state.items()}
        self._corner, self.key = self._corner[:count], self.key[:count]

    def step(self, move: Array) -> None:
        state, does, corner = self.state, self._effects, self._corner
        squares = state["board"].reshape(-1)
        end = take(does.end, move)
        what = move * CODES + take(squares, corner + take(does.start, move)) + 6
        en_passant = take(does.takes, what) == state["en_passant"]
        victim = namespace(move).where(en_passant, take(does.behind, move), end)
        place = corner + victim
        taken = take(squares, place)
        self.key ^= take(does.keys, what)
        squares[place] = 0
        squares[corner[:, None] + take(does.squares, what)] = take(does.codes, what)

        rights = rights_word(state["rights"])
        rights &= take(does.kept, move)
        state["halfmove"] += 1
        state["halfmove"] *= take(does.quiet, what) & (taken == 0)
        state["en_passant"][:] = take(does.passed, what)
        state["turn"] ^= 1
        state["ply"] += 1

    def settle(self, rows: dict[str, Array], keys: Array) -> None:
        noted = nonzero(rows["en_passant"] >= 0)
        vain = noted[~can_take_en_passant({name: column[noted] for name, column in rows.items()})]
        rows["en_passant"][vain] = -1
        state = (int64(rights_word(rows["rights"])) * 2 + rows["turn"]) * 128 + rows["en_passant"]
        keys ^= state * SPREAD


def can_take_en_passant(rows: Rows) -> Array:
    """[B] whether some pawn may legally take where a pawn has just passed `en_passant`."""
    board, target, mover = rows["board"], int64(rows["en_passant"]), 1 - 2 * rows["turn"]
    passed = target - 8 * mover
    found = passed != passed
    for beside in (0, 1):
        taker = like(BESIDE, board)[passed, beside]
        on_board = nonzero(taker < NOWHERE)
        pick = on_board[board[on_board, taker[on_board]] == PAWN * mover[on_board]]
        after, row = board[pick], arange(len(pick), board)
        after[row, taker[pick]] = 0
        after[row, passed[pick]] = 0
        after[row, target[pick]] = PAWN * mover[pick]
        king = ((after == KING * mover[pick][:, None]) * 1).argmax(-1)
        found[pick] |= ~attacked(after, king, -mover[pick])
    return found
