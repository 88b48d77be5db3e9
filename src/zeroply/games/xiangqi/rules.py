"""How xiangqi's pieces move on one board, in plain Python: lists of squares made once, looked up ever after.

A board is a list of 90 piece codes; a side is 0 (Red) or 1 (Black).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from zeroply.games.xiangqi import pieces
from zeroply.games.xiangqi.pieces import (
    ADVISOR,
    CANNON,
    CHARIOT,
    ELEPHANT,
    GENERAL,
    HORSE,
    NOWHERE,
    SOLDIER,
)
from zeroply.games.xiangqi.table import DIAGONAL, SQUARES, shifted

Board: TypeAlias = list[int]
Step: TypeAlias = tuple[int, int]
"""The square left and the square reached."""


def _ends(ends: NDArray[np.integer[Any]]) -> list[list[int]]:
    """[90] the squares reached, without the places off the board."""
    return [[end for end in row if end != NOWHERE] for row in ends.tolist()]


def _over(between: NDArray[np.integer[Any]], ends: NDArray[np.integer[Any]]) -> list[list[Step]]:
    """[90] the squares reached, each after the one on the way that must be empty."""
    rows = zip(between.tolist(), ends.tolist(), strict=True)
    return [[(leg, end) for leg, end in zip(*row, strict=True) if end != NOWHERE] for row in rows]


ADVISORS, GENERALS = _ends(pieces.ADVISORS), _ends(pieces.GENERALS)
ELEPHANTS, HORSES = _over(pieces.EYES, pieces.ELEPHANTS), _over(pieces.LEGS, pieces.HORSES)
HORSES_BEFORE = _over(pieces.LEGS_BEFORE, pieces.HORSES_BEFORE)
SOLDIERS = [_ends(side) for side in pieces.SOLDIERS]
RAYS = [_ends(rays) for rays in pieces.RAYS]
"""[90, 4] the squares seen from a square in each direction, nearest first."""
SOLDIERS_BEFORE = [
    [[start for start in range(SQUARES) if end in side[start]] for end in range(SQUARES)] for side in SOLDIERS
]
"""[2, 90] where soldiers stand that step to a square."""
NEAR = [
    frozenset(square for ray in RAYS[general] for square in ray)
    | {end for step in DIAGONAL if (end := shifted(general, *step)) is not None}
    for general in range(SQUARES)
]
"""[90] the squares whose pieces matter to a general: his lines, and the legs of horses that attack him."""
ACROSS = (frozenset(range(45, SQUARES)), frozenset(range(45)))
"""The far side of the river, as Red and as Black see it."""


def _free(board: Board, ends: Sequence[int], sign: int) -> list[int]:
    """Those squares on which no piece of the mover stands."""
    return [end for end in ends if board[end] * sign <= 0]


def _soldier(board: Board, start: int, sign: int) -> list[int]:
    return _free(board, SOLDIERS[sign < 0][start], sign)


def _advisor(board: Board, start: int, sign: int) -> list[int]:
    return _free(board, ADVISORS[start], sign)


def _elephant(board: Board, start: int, sign: int) -> list[int]:
    return [end for eye, end in ELEPHANTS[start] if not board[eye] and board[end] * sign <= 0]


def _horse(board: Board, start: int, sign: int) -> list[int]:
    return [end for leg, end in HORSES[start] if not board[leg] and board[end] * sign <= 0]


def _cannon(board: Board, start: int, sign: int) -> list[int]:
    """Along empty squares; to take, over exactly one piece, the screen."""
    ends = []
    for ray in RAYS[start]:
        squares = iter(ray)
        for end in squares:
            if board[end]:
                break
            ends.append(end)
        for end in squares:  # behind the screen
            if board[end]:
                if board[end] * sign < 0:
                    ends.append(end)
                break
    return ends


def _chariot(board: Board, start: int, sign: int) -> list[int]:
    ends = []
    for ray in RAYS[start]:
        for end in ray:
            if board[end]:
                if board[end] * sign < 0:
                    ends.append(end)
                break
            ends.append(end)
    return ends


def _general(board: Board, start: int, sign: int) -> list[int]:
    return _free(board, GENERALS[start], sign)


_ENDS: Mapping[int, Callable[[Board, int, int], list[int]]] = {
    SOLDIER: _soldier,
    ADVISOR: _advisor,
    ELEPHANT: _elephant,
    HORSE: _horse,
    CANNON: _cannon,
    CHARIOT: _chariot,
    GENERAL: _general,
}
"""From board, square left and the mover's sign to the squares reached."""


def pseudo_moves(board: Board, side: int) -> list[Step]:
    """All moves that fit the pieces and what stands in their way, whether or not the general is safe."""
    sign = 1 - 2 * side
    return [
        (start, end)
        for start, code in enumerate(board)
        if code * sign > 0
        for end in _ENDS[code * sign](board, start, sign)
    ]


def attacked(board: Board, general: int, side: int) -> bool:
    """Whether the general of `side`, if he stood on a square, could be taken there; facing the other general
    is as bad. Advisors and elephants never come so far."""
    sign = 1 - 2 * side
    for ray in RAYS[general]:
        seen = 0
        for square in ray:
            code = board[square]
            if not code:
                continue
            kind = -code * sign
            if seen:
                if kind == CANNON:
                    return True
                break
            if kind in (CHARIOT, GENERAL):
                return True
            seen = code
    for leg, square in HORSES_BEFORE[general]:
        if board[square] == -HORSE * sign and not board[leg]:
            return True
    return any(board[square] == -SOLDIER * sign for square in SOLDIERS_BEFORE[1 - side][general])


def in_check(board: Board, side: int) -> bool:
    return attacked(board, board.index(GENERAL * (1 - 2 * side)), side)


def exposes(board: Board, step: Step, side: int) -> bool:
    """Whether a move of `side` leaves its own general attacked."""
    start, end = step
    moved, taken = board[start], board[end]
    board[start], board[end] = 0, moved
    exposed = in_check(board, side)
    board[start], board[end] = moved, taken
    return exposed


def legal_moves(board: Board, side: int) -> list[Step]:
    """All moves after which the mover's general is safe."""
    general = board.index(GENERAL * (1 - 2 * side))
    if attacked(board, general, side):
        return [step for step in pseudo_moves(board, side) if not exposes(board, step, side)]
    near = NEAR[general] | {general}
    return [
        (start, end)
        for start, end in pseudo_moves(board, side)
        if (start not in near and end not in near) or not exposes(board, (start, end), side)
    ]
