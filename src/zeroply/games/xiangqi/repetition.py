"""Who loses by repeating: perpetual check and perpetual chase, judged as the Asian federation (AXF) does.

A side that checks with every move of the repetition loses; if both do, it is a draw. Else a side that chases
the same piece with every move loses; if both do, or none, or if checks were mixed in, it is a draw.

To chase is to threaten, by a move, to win a piece that was not threatened before it. Generals and soldiers may
chase; soldiers that have not crossed the river may be chased. What the AXF says beyond that (a chase that
is part of a threat to mate, an offer to exchange, two pieces that take turns) is not judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zeroply.games.xiangqi.rules import (
    ACROSS,
    ADVISOR,
    CANNON,
    CHARIOT,
    ELEPHANT,
    GENERAL,
    HORSE,
    SOLDIER,
    Board,
    Step,
    exposes,
    in_check,
    pseudo_moves,
)

COLOURS = ("Red", "Black")
NOBLER = {
    HORSE: {CHARIOT},
    CANNON: {CHARIOT},
    ADVISOR: {CHARIOT, CANNON, HORSE},
    ELEPHANT: {CHARIOT, CANNON, HORSE},
}
"""What a piece threatens to win though it be protected."""


class Verdict(NamedTuple):
    """The first player's points, and why."""

    points: float
    reason: str


def judge(boards: Sequence[Board], steps: Sequence[Step], turn: int) -> Verdict:
    """The end of a game whose position came for the third time.

    `boards` are those from the first time to the third, `steps` the moves between them, by `turn` first.
    """
    movers = [(turn + number) % 2 for number in range(len(steps))]
    checks = [in_check(list(board), 1 - mover) for board, mover in zip(boards[1:], movers, strict=True)]
    checking = {
        side for side in (0, 1) if all(c for c, mover in zip(checks, movers, strict=True) if mover == side)
    }
    if checking:
        return _against(checking, "gave perpetual check")
    chasing = set() if any(checks) else {side for side in (0, 1) if _chases(boards, steps, movers, side)}
    if chasing:
        return _against(chasing, "chased a piece without end")
    return Verdict(0.5, "the position occurred three times")


def _against(guilty: set[int], deed: str) -> Verdict:
    if len(guilty) == 2:
        return Verdict(0.5, f"both sides {deed}")
    (side,) = guilty
    return Verdict(float(side), f"{COLOURS[side]} {deed}")


def _chases(boards: Sequence[Board], steps: Sequence[Step], movers: Sequence[int], side: int) -> bool:
    """Whether every move of `side` newly threatens one and the same piece."""
    name = {square: square for square in range(len(boards[0]))}
    """By square, where the piece there stood at first."""
    chased = set(name)
    for before, after, (start, end), mover in zip(boards, boards[1:], steps, movers, strict=False):
        earlier = {name[square] for square in threats(list(before), side)} if mover == side else set()
        name[end], name[start] = name[start], name[end]
        if mover == side:
            chased &= {name[square] for square in threats(list(after), side)} - earlier
    return bool(chased)


def threats(board: Board, side: int) -> set[int]:
    """The squares of pieces that `side` could win if it were to move."""
    return {step[1] for step in pseudo_moves(board, side) if _wins(board, step, side)}


def _wins(board: Board, step: Step, side: int) -> bool:
    """Whether a move takes a piece that may not be chased, safely enough to be called a threat."""
    start, end = step
    chaser, victim = abs(board[start]), abs(board[end])
    if victim in (0, GENERAL) or chaser in (GENERAL, SOLDIER):
        return False
    if (victim == SOLDIER and end not in ACROSS[1 - side]) or exposes(board, step, side):
        return False
    if victim in NOBLER.get(chaser, ()):
        return True
    return not _protected(board, step, side) and not (chaser == victim and _can_take(board, (end, start), 1 - side))


def _protected(board: Board, step: Step, side: int) -> bool:
    """Whether the piece that took could be taken in turn."""
    start, end = step
    after = list(board)
    after[start], after[end] = 0, board[start]
    return any(_can_take(after, answer, 1 - side) for answer in pseudo_moves(after, 1 - side) if answer[1] == end)


def _can_take(board: Board, step: Step, side: int) -> bool:
    return step in pseudo_moves(board, side) and not exposes(board, step, side)
