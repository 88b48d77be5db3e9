"""Who loses by repeating: perpetual check and perpetual chase, judged as the Asian federation (AXF) does.

A side that checks with every move between three occurrences of a position loses; if both do, it is a draw.
Else a side that chases one and the same piece with every move loses; if both do, or none, it is a draw.

To chase is to threaten by a move to win a piece that could not be taken so before. Generals and soldiers may
chase, and soldiers that have not crossed the river may be chased. Of the AXF's finer points, those on threats
to mate and on offers to exchange pieces are not judged: such repetitions are draws here, or chases.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zeroply.games.xiangqi.pieces import ADVISOR, CANNON, CHARIOT, ELEPHANT, GENERAL, HORSE, SOLDIER
from zeroply.games.xiangqi.rules import ACROSS, Board, Step, exposes, in_check, pseudo_moves

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
    reached = {turn: boards[1::2], 1 - turn: boards[2::2]}
    """By side, the boards after its moves."""
    checking = {side for side in reached if all(in_check(board, 1 - side) for board in reached[side])}
    if checking:
        return _against(checking, "gave perpetual check")
    chasing = {side for side in (0, 1) if _chases(boards, steps, side, (turn + side) % 2)}
    if chasing:
        return _against(chasing, "chased a piece without end")
    return Verdict(0.5, "the position occurred three times")


def _against(guilty: set[int], deed: str) -> Verdict:
    if len(guilty) == 2:
        return Verdict(0.5, f"both sides {deed}")
    (side,) = guilty
    return Verdict(float(side), f"{COLOURS[side]} {deed}")


def _chases(boards: Sequence[Board], steps: Sequence[Step], side: int, first: int) -> bool:
    """Whether every move of `side`, who makes the first (0) or second (1), newly threatens the same piece."""
    name = list(range(len(boards[0])))
    """By square, where the piece there stood at first."""
    chased = set(name)
    for number, (start, end) in enumerate(steps):
        name[end], name[start] = name[start], name[end]
        if number % 2 == first:
            before, after = list(boards[number]), list(boards[number + 1])
            chased &= {name[victim] for victim in _new_threats(before, after, (start, end), side)}
    return bool(chased)


def _new_threats(before: Board, after: Board, step: Step, side: int) -> set[int]:
    """The squares of pieces that a move of `side` threatens, either because they could not be captured so
    before, or because the move has pinned their last protectors. Only to stand in a protector's way does not
    count; to relieve another attacker does."""
    start, end = step
    captures = set(pseudo_moves(before, side))
    found = set()
    for chaser, victim in pseudo_moves(after, side):
        if _wins(after, (chaser, victim), side):
            then = (start if chaser == end else chaser, victim)
            if then not in captures or _pins(before, then, after, (chaser, victim), side):
                found.add(victim)
    return found


def _pins(before: Board, then: Step, after: Board, now: Step, side: int) -> bool:
    """Whether the protectors from a capture are the same as before, but none may take back any more. Who only
    steps out of check pins nobody."""
    if in_check(before, side):
        return False
    same = _protectors(before, then, side) == _protectors(after, now, side)
    return same and bool(_avengers(before, then, side)) and not _avengers(after, now, side)


def _wins(board: Board, step: Step, side: int) -> bool:
    """Whether a move of `side` takes a piece that may not be chased, and gains by it."""
    start, end = step
    chaser, victim = abs(board[start]), abs(board[end])
    if victim in (0, GENERAL) or chaser in (GENERAL, SOLDIER):
        return False
    if (victim == SOLDIER and end not in ACROSS[1 - side]) or exposes(board, step, side):
        return False
    if victim in NOBLER.get(chaser, ()):
        return True
    if chaser == victim and _can_take(board, (end, start), 1 - side):
        return False  # they threaten each other
    if in_check(board, 1 - side):  # it will be answered first, so it pins nobody
        return not _protectors(board, step, side)
    return not _avengers(board, step, side)


def _protectors(board: Board, step: Step, side: int) -> list[int]:
    """Where the pieces stand that could take what has taken there, but for their general's safety."""
    answers = pseudo_moves(_played(board, step), 1 - side)
    return [start for start, end in answers if end == step[1]]


def _avengers(board: Board, step: Step, side: int) -> list[int]:
    """Where the protectors stand that may legally take what has taken there."""
    after = _played(board, step)
    guards = _protectors(board, step, side)
    return [guard for guard in guards if not exposes(after, (guard, step[1]), 1 - side)]


def _can_take(board: Board, step: Step, side: int) -> bool:
    return step in pseudo_moves(board, side) and not exposes(board, step, side)


def _played(board: Board, step: Step) -> Board:
    after = list(board)
    after[step[0]], after[step[1]] = 0, board[step[0]]
    return after
