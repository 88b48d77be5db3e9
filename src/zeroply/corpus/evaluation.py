"""Evaluations as a corpus stores them: centipawns in 16 bits, mates folded in."""

from __future__ import annotations

import math

from zeroply.corpus.score import LONGEST_MATE, MATE, MOST_CENTIPAWNS


def centipawns(value: float) -> int:
    if math.isnan(value):
        raise ValueError("not a number is no evaluation")
    return round(max(-MOST_CENTIPAWNS, min(MOST_CENTIPAWNS, value)))


def mate(moves: int, *, for_mover: bool) -> int:
    """A mate in so many moves, given by or against the side whose view is told."""
    value = MATE - min(moves, LONGEST_MATE)
    return value if for_mover else -value
