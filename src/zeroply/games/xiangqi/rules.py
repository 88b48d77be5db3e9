"""How xiangqi's pieces move on one board, in plain Python: lists of squares made once, looked up ever after.

A board is a list of 90 piece codes; a side is 0 (Red) or 1 (Black).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from zeroply.games.xiangqi.table import (
    ADVISOR_POINTS,
    DIAGONAL,
    ELEPHANT_POINTS,
    JUMPS,
    LONG_DIAGONAL,
    PALACES,
    SQUARES,
    STRAIGHT,
    shifted,
)

SOLDIER, ADVISOR, ELEPHANT, HORSE, CANNON, CHARIOT, GENERAL = range(1, 8)

Board: TypeAlias = list[int]
Step: TypeAlias = tuple[int, int]
"""The square left and the square reached."""


def _reached(steps: Sequence[Step], within: frozenset[int]) -> list[list[int]]:
    """For each square those that steps lead to; none unless both lie within some squares."""
    return [
        [end for step in steps if start in within and (end := shifted(start, *step)) in within]
        for start in range(SQUARES)
    ]


def _over(steps: Sequence[Step], within: frozenset[int]) -> list[list[Step]]:
    """As above, each after the square on the way that must be empty: half a step away, rounded to the start."""
    return [
        [
            (start + int(files / 2) + 9 * int(ranks / 2), end)
            for files, ranks in steps
            if start in within and (end := shifted(start, files, ranks)) in within
        ]
        for start in range(SQUARES)
    ]


ALL = frozenset(range(SQUARES))
ACROSS = (frozenset(range(45, SQUARES)), frozenset(range(45)))
"""The far side of the river, where Red's and Black's soldiers may step aside."""

ADVISORS = _reached(DIAGONAL, ADVISOR_POINTS)
GENERALS = _reached(STRAIGHT, PALACES)
ELEPHANTS = _over(LONG_DIAGONAL, ELEPHANT_POINTS)
"""[90] (eye, end)."""
HORSES = _over(JUMPS, ALL)
"""[90] (leg, end)."""
HORSES_AT = [[(leg, start) for start in ALL for leg, end in HORSES[start] if end == square] for square in ALL]
"""[90] (leg, where the horse stands) of the horses that attack a square."""
SOLDIERS = [
    [
        [
            end
            for files, ranks in [(0, ahead), (-1, 0), (1, 0)]
            if (end := shifted(start, files, ranks)) is not None and (ranks or start in across)
        ]
        for start in range(SQUARES)
    ]
    for ahead, across in zip((1, -1), ACROSS, strict=True)
]
"""[2, 90] by side."""
SOLDIERS_AT = [[[start for start in ALL if square in ends[start]] for square in ALL] for ends in SOLDIERS]
RAYS = [
    [[end for n in range(1, 10) if (end := shifted(start, f * n, r * n)) is not None] for f, r in STRAIGHT]
    for start in range(SQUARES)
]
"""[90, 4] the squares seen from a square in each direction, nearest first."""
NEAR = [
    frozenset(square for ray in RAYS[general] for square in ray)
    | {end for step in DIAGONAL if (end := shifted(general, *step)) is not None}
    for general in range(SQUARES)
]
"""[90] the squares whose pieces matter to a general: his lines, and the legs of horses that attack him."""


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
            if kind == CHARIOT or kind == GENERAL:
                return True
            seen = code
    for leg, square in HORSES_AT[general]:
        if board[square] == -HORSE * sign and not board[leg]:
            return True
    return any(board[square] == -SOLDIER * sign for square in SOLDIERS_AT[1 - side][general])


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
