"""Legal moves by a loop that numba compiles. All compiled code stands here: numba's cache on disk notices
changes of a function's own file only.

A board is 65 codes in the mover's eyes: own pieces positive, enemies negative, and behind the 64 squares a
wall that stops every piece. A set of squares is an int64 with one bit a square.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from zeroply.games.chess import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from zeroply.games.chess.bulk import KNIGHTS, NOWHERE, PAWNS, RAYS

P = ParamSpec("P")
T = TypeVar("T")
Bytes = NDArray[np.int8]

WALL = KING + 1
ANYWHERE = -1
"""The set of all squares."""

# Small tables stay in the nearest cache. They become part of the compiled code: geometry does not change.
_RAYS, _KNIGHTS, _PAWNS = RAYS.astype(np.int8), KNIGHTS.astype(np.int8), PAWNS.astype(np.int8)


def compiled(function: Callable[P, T]) -> Callable[P, T]:
    result: Callable[P, T] = njit(cache=True)(function)
    return result


@compiled
def mark_all(
    board: Bytes,
    turn: Bytes,
    rights: Bytes,
    en_passant: Bytes,
    numbers: NDArray[np.int16],
    legal: NDArray[np.bool_],
) -> None:
    """Mark in legal [B, M] (all false before) the legal moves of B rows, given by their columns.

    numbers [64, 64] is the number of the move from a square to another without promotion."""
    mine = np.empty(NOWHERE + 1, np.int8)
    pins = np.empty(64, np.int64)
    for row in range(len(board)):
        black = 1 if turn[row] else 0
        king = 0
        for square in range(64):
            piece = -board[row, square] if black else board[row, square]
            mine[square] = piece
            if piece == KING:
                king = square
        mine[NOWHERE] = WALL
        answers = find_checks_and_pins(mine, king, black, pins)
        mark_pieces(mine, king, black, answers, pins, en_passant[row], numbers, legal[row])
        mark_king(mine, king, black, numbers, legal[row])
        if answers == ANYWHERE:
            mark_castling(mine, black, rights[row], numbers, legal[row])


@compiled
def find_checks_and_pins(mine: Bytes, king: int, black: int, pins: NDArray[np.int64]) -> int:
    """The squares where a move of another piece leaves the king without check: all if he is not in check,
    else the checker's and those before it. Two checks have no square in common, so none is left.

    pins [64] becomes, for each piece on its square, the squares to which the king lets it go."""
    pins[:] = ANYWHERE
    answers = ANYWHERE
    for direction in range(8):
        slider = ROOK if direction < 4 else BISHOP
        line, shield = 0, NOWHERE
        for step in range(7):
            square = _RAYS[king, direction, step]
            piece = mine[square]
            if piece == WALL or (piece > 0 and shield != NOWHERE):
                break
            line |= 1 << square
            if piece > 0:
                shield = square
            elif piece < 0:
                if piece in (-slider, -QUEEN):
                    if shield == NOWHERE:
                        answers &= line
                    else:
                        pins[shield] = line
                break
    for square in _KNIGHTS[king]:
        if mine[square] == -KNIGHT:
            answers &= 1 << square
    for square in _PAWNS[1 - black, king]:
        if mine[square] == -PAWN:
            answers &= 1 << square
    return answers


@compiled
def attacked(mine: Bytes, square: int, black: int) -> bool:
    """Whether the mover's enemy attacks a square."""
    for start in _PAWNS[1 - black, square]:
        if mine[start] == -PAWN:
            return True
    for start in _KNIGHTS[square]:
        if mine[start] == -KNIGHT:
            return True
    for direction in range(8):
        slider = ROOK if direction < 4 else BISHOP
        for step in range(7):
            piece = mine[_RAYS[square, direction, step]]
            if piece != 0:
                if piece in (-slider, -QUEEN) or (piece == -KING and step == 0):
                    return True
                break
    return False


@compiled
def mark_pieces(
    mine: Bytes,
    king: int,
    black: int,
    answers: int,
    pins: NDArray[np.int64],
    en_passant: int,
    numbers: NDArray[np.int16],
    legal: NDArray[np.bool_],
) -> None:
    """The moves of all pieces but the king."""
    for start in range(64):
        piece = mine[start]
        if piece <= 0 or piece == KING:
            continue
        allowed = answers & pins[start]
        if piece == PAWN:
            mark_pawn(mine, start, black, allowed, numbers, legal)
            for end in _PAWNS[1 - black, start]:
                if end == en_passant and not exposes(mine, king, black, start, end):
                    legal[numbers[start, end]] = True
        elif piece == KNIGHT:
            for end in _KNIGHTS[start]:
                if mine[end] <= 0 and has(allowed, end):
                    legal[numbers[start, end]] = True
        else:
            for direction in range(4 if piece == BISHOP else 0, 4 if piece == ROOK else 8):
                for step in range(7):
                    end = _RAYS[start, direction, step]
                    if mine[end] > 0:
                        break
                    if has(allowed, end):
                        legal[numbers[start, end]] = True
                    if mine[end] < 0:
                        break


@compiled
def has(squares: int, square: int) -> bool:
    return (squares >> square) & 1 == 1


@compiled
def mark_pawn(
    mine: Bytes,
    start: int,
    black: int,
    allowed: int,
    numbers: NDArray[np.int16],
    legal: NDArray[np.bool_],
) -> None:
    """Steps, captures and promotions; not en passant."""
    forward = 2 * black  # of the eight directions, up or down the board
    ahead, further = _RAYS[start, forward, 0], _RAYS[start, forward, 1]
    at_home = start // 8 == (6 if black else 1)
    promotes = start // 8 == (1 if black else 6)
    if mine[ahead] == 0:
        if has(allowed, ahead):
            mark_pawn_move(numbers[start, ahead], promotes, legal)
        if at_home and mine[further] == 0 and has(allowed, further):
            mark_pawn_move(numbers[start, further], promotes, legal)
    for end in _PAWNS[1 - black, start]:
        if mine[end] < 0 and has(allowed, end):
            mark_pawn_move(numbers[start, end], promotes, legal)


@compiled
def mark_pawn_move(number: int, promotes: bool, legal: NDArray[np.bool_]) -> None:
    if promotes:
        legal[number + 1 : number + 5] = True  # sorted by name, the four promotions follow the plain move
    else:
        legal[number] = True


@compiled
def exposes(mine: Bytes, king: int, black: int, start: int, end: int) -> bool:
    """Whether taking en passant leaves the king attacked. Two pawns leave their squares at once, which pins
    do not tell: make the move, look, and take it back."""
    taken = start // 8 * 8 + end % 8
    mine[start], mine[taken], mine[end] = 0, 0, PAWN
    bad = attacked(mine, king, black)
    mine[start], mine[taken], mine[end] = PAWN, -PAWN, 0
    return bad


@compiled
def mark_king(
    mine: Bytes, king: int, black: int, numbers: NDArray[np.int16], legal: NDArray[np.bool_]
) -> None:
    mine[king] = 0  # he does not shield squares behind himself
    for direction in range(8):
        end = _RAYS[king, direction, 0]
        if mine[end] <= 0 and not attacked(mine, end, black):
            legal[numbers[king, end]] = True
    mine[king] = KING


@compiled
def mark_castling(
    mine: Bytes, black: int, rights: Bytes, numbers: NDArray[np.int16], legal: NDArray[np.bool_]
) -> None:
    """For a king that is not in check. A right says that king and rook stand at home."""
    king = 4 + 56 * black
    for long in range(2):
        toward = -1 if long else 1
        through, end = king + toward, king + 2 * toward
        free = mine[through] == 0 and mine[end] == 0 and (long == 0 or mine[king - 3] == 0)
        if rights[2 * black + long] and free:
            legal[numbers[king, end]] = not attacked(mine, through, black) and not attacked(mine, end, black)
