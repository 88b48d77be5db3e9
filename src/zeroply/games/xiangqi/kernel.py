"""Legal moves by a loop that numba compiles. All compiled code stands here: numba's cache on disk notices
changes of a function's own file only.

A board is 91 codes in the mover's eyes: own pieces positive, enemies negative, and behind the 90 squares a
wall that stops every piece.

A move is made and the general looked at only where that can matter: few squares are `tense`, so that a move
which neither leaves nor reaches one of them changes nothing for the general.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from zeroply.games.xiangqi.pieces import (
    ADVISOR,
    ADVISORS,
    CANNON,
    CHARIOT,
    ELEPHANT,
    ELEPHANTS,
    EYES,
    GENERAL,
    GENERALS,
    HORSE,
    HORSES,
    HORSES_BEFORE,
    LEGS,
    LEGS_BEFORE,
    NOWHERE,
    RAYS,
    SOLDIER,
    SOLDIERS,
)

P = ParamSpec("P")
T = TypeVar("T")
Bytes = NDArray[np.int8]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.int16]

WALL = GENERAL + 1


def compiled(function: Callable[P, T]) -> Callable[P, T]:
    result: Callable[P, T] = njit(cache=True)(function)
    return result


@compiled
def mark_all(board: Bytes, turn: Bytes, numbers: Numbers, legal: Flags) -> None:
    """Mark in legal [B, M] (all false before) the legal moves of B rows, given by their columns.

    numbers [90, 90] is the number of the move from a square to another."""
    mine = np.empty(NOWHERE + 1, np.int8)
    tense = np.empty(NOWHERE + 1, np.bool_)
    ends = np.empty(17, np.int8)  # a chariot on an empty board
    for row in range(len(board)):
        black = 1 if turn[row] else 0
        general = see(board[row], black, mine)
        find_tense(mine, general, tense)
        in_check = attacked(mine, general, black)
        for start in range(NOWHERE):
            if mine[start] <= 0:
                continue
            for number in range(find_ends(mine, start, black, ends)):
                end = ends[number]
                matters = tense[start] or tense[end]
                if not (exposes(mine, start, end, general, black) if matters else in_check):
                    legal[row, numbers[start, end]] = True


@compiled
def check_all(board: Bytes, turn: Bytes, start: Bytes, end: Bytes, legal: Flags) -> None:
    """Mark in legal [B] (all false before) the rows where the move from start [B] to end [B] is legal."""
    mine = np.empty(NOWHERE + 1, np.int8)
    ends = np.empty(17, np.int8)
    for row in range(len(board)):
        black = 1 if turn[row] else 0
        general = see(board[row], black, mine)
        if mine[start[row]] <= 0:
            continue
        for number in range(find_ends(mine, start[row], black, ends)):
            if ends[number] == end[row]:
                legal[row] = not exposes(mine, start[row], end[row], general, black)


@compiled
def see(board: Bytes, black: int, mine: Bytes) -> int:
    """Write a board [90] to mine [91] as the mover sees it; the square of his general, 0 if he has none."""
    mine[NOWHERE] = WALL
    general = 0
    for square in range(NOWHERE):
        piece = -board[square] if black else board[square]
        mine[square] = piece
        if piece == GENERAL:
            general = square
    return general


@compiled
def find_tense(mine: Bytes, general: int, tense: Flags) -> None:
    """Mark the squares where a change can begin or end an attack on the general: those of enemies that may
    attack him and all between; and his own, which moves with him."""
    tense[:] = False
    tense[general] = True
    for direction in range(4):
        reach = 0
        for step in range(9):
            piece = mine[RAYS[general, direction, step]]
            if piece == WALL:
                break
            if piece in (-CHARIOT, -CANNON, -GENERAL) or (piece == -SOLDIER and step == 0):
                reach = step + 1
        for step in range(reach):
            tense[RAYS[general, direction, step]] = True
    for jump in range(8):
        square = HORSES_BEFORE[general, jump]
        if mine[square] == -HORSE:
            tense[square] = True
            tense[LEGS_BEFORE[general, jump]] = True


@compiled
def attacked(mine: Bytes, square: int, black: int) -> bool:
    """Whether the mover's enemy attacks a square of the mover's palace. Face to face, generals attack."""
    for direction in range(4):
        screens = 0
        for step in range(9):
            piece = mine[RAYS[square, direction, step]]
            if piece == 0:
                continue
            if piece == WALL:
                break
            if screens == 1:
                if piece == -CANNON:
                    return True
                break
            screens = 1
            if piece == -CHARIOT or (piece == -GENERAL and direction in (0, 2)):
                return True
            if piece == -SOLDIER and step == 0 and direction != 2 - 2 * black:  # not from behind
                return True
    for jump in range(8):
        if mine[HORSES_BEFORE[square, jump]] == -HORSE and mine[LEGS_BEFORE[square, jump]] == 0:
            return True
    return False


@compiled
def exposes(mine: Bytes, start: int, end: int, general: int, black: int) -> bool:
    """Whether a move leaves the general attacked: make it, look, and take it back."""
    piece, target = mine[start], mine[end]
    mine[start], mine[end] = 0, piece
    bad = attacked(mine, end if start == general else general, black)
    mine[start], mine[end] = piece, target
    return bad


@compiled
def find_ends(mine: Bytes, start: int, black: int, ends: Bytes) -> int:
    """Write to ends [17] the squares to which the piece on a square can go; how many they are."""
    piece, count = mine[start], 0
    if piece in (CHARIOT, CANNON):
        for direction in range(4):
            jumped = False
            for step in range(9):
                end = RAYS[start, direction, step]
                target = mine[end]
                if target == 0:
                    if not jumped:
                        ends[count] = end
                        count += 1
                elif piece == CANNON and not jumped and target != WALL:
                    jumped = True
                else:
                    if target < 0:
                        ends[count] = end
                        count += 1
                    break
    elif piece == HORSE:
        for jump in range(8):
            end = HORSES[start, jump]
            if mine[end] <= 0 and mine[LEGS[start, jump]] == 0:
                ends[count] = end
                count += 1
    elif piece == ELEPHANT:
        for step in range(4):
            end = ELEPHANTS[start, step]
            if mine[end] <= 0 and mine[EYES[start, step]] == 0:
                ends[count] = end
                count += 1
    elif piece == SOLDIER:
        for end in SOLDIERS[black, start]:
            if mine[end] <= 0:
                ends[count] = end
                count += 1
    else:
        for step in range(4):
            end = ADVISORS[start, step] if piece == ADVISOR else GENERALS[start, step]
            if mine[end] <= 0:
                ends[count] = end
                count += 1
    return count
