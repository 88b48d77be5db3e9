"""What the rules forbid a player; and two helps of theirs that it may have beside its net.

A net that learnt from strong players has seen few games played to mate: strong players resign. What it lacks
most against weaker opponents is the last step, and that step the rules alone can tell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TypeAlias

import numpy as np

from zeroply.games import Position
from zeroply.players.base import Glance

Help: TypeAlias = Callable[[Position, Glance], Glance]
"""From what the net sees to what it may choose from: some or all of the moves, in the same order."""

WINNING = 0.8
"""Expected points from which a side counts as winning."""


def forbidden(position: Position, move: int) -> bool:
    """Whether the rules make the mover lose for what came again, as in xiangqi for perpetual check: by this
    move, or by a reply to it. To heed this is no help: a net is told how often its position was there, not
    which moves lead to one that was. Mates are not looked for. Where no rule is such, no move is tried."""
    if not position.forbids_repetition:
        return False
    after, lost = position.play(int(move)), float(position.turn)
    if after.result() is not None:
        return after.result() == lost
    ends = (after.play(int(reply)) for reply in after.legal())
    return any(end.repeats and end.result() == lost for end in ends)  # a mate never came before


def mate_in_one(position: Position, glance: Glance) -> Glance:
    """Where a move wins at once, only such moves are left: mates, and in xiangqi stalemates too."""
    return glance.only(np.array([ends_with(position, move, 1.0 - position.turn) for move in glance.moves]))


def nothing_given_away(position: Position, glance: Glance) -> Glance:
    """A winning side neither ends the game in a draw nor repeats a position, unless there is no other move. A
    net that does not tell what it expects never counts as winning."""
    if glance.expected is None or glance.expected < WINNING:
        return glance
    return glance.only(np.array([not _draws_or_repeats(position, move) for move in glance.moves]))


class Because(StrEnum):
    """Why the likeliest move of all is not among those that may be played."""

    wins_at_once = "wins_at_once"
    """Another one does, and the rules help."""
    gives_nothing_away = "gives_nothing_away"
    """It would draw or repeat what is won, and the rules help."""
    forbidden = "forbidden"
    """It would lose by the rules: no help."""


REASONS: Mapping[Help, Because] = {
    mate_in_one: Because.wins_at_once,
    nothing_given_away: Because.gives_nothing_away,
}
"""What each help has to say for itself."""
HELPS: tuple[Help, ...] = tuple(REASONS)


def ends_with(position: Position, move: int, points: float) -> bool:
    """Whether the move ends the game with so many points for the first player."""
    return position.play(int(move)).result() == points


def _draws_or_repeats(position: Position, move: int) -> bool:
    after = position.play(int(move))
    return after.result() == 0.5 or after.repeats > 0
