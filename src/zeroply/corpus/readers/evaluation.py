"""Evaluations as a corpus stores them: centipawns in 16 bits, mates folded in."""

from __future__ import annotations

from zeroply.corpus.score import MATE

LONGEST_MATE = 1000
MOST = MATE - LONGEST_MATE - 1
"""Centipawns beyond which nothing is told apart: all less than any mate."""


def centipawns(value: float) -> int:
    return max(-MOST, min(MOST, round(value)))


def mate(moves: int, *, for_mover: bool) -> int:
    """A mate in so many moves, given by or against the side whose view is told."""
    value = MATE - min(moves, LONGEST_MATE)
    return value if for_mover else -value
