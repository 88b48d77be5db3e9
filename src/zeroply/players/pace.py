"""How long a person would think: for those who find an answer in milliseconds unpleasant to play against."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from zeroply.players.base import Glance

MOVES_LEFT = 40
"""For so many moves a clock has to last, unless it is told otherwise."""
MOST_SECONDS = 20.0
QUICKEST = 0.1
"""Of the time that there is for a move, what one without doubt takes."""
PUZZLING = math.log(8)
"""The entropy of a choice among eight moves that are as good: it takes all the time that there is."""


@dataclass(frozen=True, kw_only=True)
class Clock:
    """What the mover is told of his time, in milliseconds; without any word of it, there is no clock."""

    left: int | None = None
    increment: int = 0
    moves_to_go: int | None = None
    """Until there is more time."""
    move_time: int | None = None
    """For this move alone."""


def seconds_to_think(clock: Clock, glance: Glance, overhead: int, random: np.random.Generator) -> float:
    """The longer, the more moves look good, and never alike twice; at most half of what is left, less the
    `overhead`, milliseconds that are lost on the way. Without a clock 0."""
    if clock.move_time is not None:
        share, most = float(clock.move_time), float(clock.move_time)
    elif clock.left is not None:
        share = clock.left / max(1, clock.moves_to_go or MOVES_LEFT) + clock.increment
        most = clock.left / 2
    else:
        return 0.0
    shares = glance.probabilities[glance.probabilities > 0]
    doubt = min(1.0, float(-(shares * np.log(shares)).sum()) / PUZZLING)
    wanted = share * (QUICKEST + (1 - QUICKEST) * doubt) * random.uniform(0.5, 1.5)
    return max(0.0, min(wanted, most - overhead, 1000 * MOST_SECONDS)) / 1000
