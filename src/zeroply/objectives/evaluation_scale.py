"""The scale of the output `evaluation`, seed 003's: fifteen pawns are 1, nothing counts more than 4.

A mate in n is worth 4 - (n - 1) 8/42, so from 4 for a mate in one down to 4/3 for one in fifteen or more;
a mate against the mover as much less. Written once for NumPy and torch: nets learn by it, `zeroply eval`
measures by it.
"""

from __future__ import annotations

from zeroply.corpus.score import MATE, MOST_CENTIPAWNS, NO_EVALUATION
from zeroply.games.arrays import namespace
from zeroply.games.base import Array

CENTIPAWNS = 1500
"""What counts 1."""
HIGHEST = 4.0
LATEST_MATE = 15
MATE_STEP = 8 / 42
"""What each further move to the mate costs: so that the latest counts LEAST_MATE."""
LEAST_MATE = HIGHEST - (LATEST_MATE - 1) * MATE_STEP


def known(evaluation: Array) -> Array:
    """[B] where there is an evaluation."""
    return evaluation != NO_EVALUATION


def scaled(evaluation: Array) -> Array:
    """[B] evaluations as a corpus stores them -> [B] real; what stands where there is none means nothing."""
    return _worth(evaluation, mates=0.0)


def preference(evaluation: Array) -> Array:
    """[B] evaluations as a corpus stores them -> [B] real, in centipawns: the same but for mates, which
    nothing is worth more than, so that who chooses by it mates. On seed 003's scale twenty-one pawns are
    worth more than a mate in fifteen."""
    return CENTIPAWNS * _worth(evaluation, mates=HIGHEST - LEAST_MATE)


def _worth(evaluation: Array, mates: float) -> Array:
    """With so much more for a mate."""
    xp = namespace(evaluation)
    value = 1.0 * evaluation  # 16 bits have no room for the size of NO_EVALUATION
    size = abs(value)
    to_mate = xp.clip(MATE - size, 1, LATEST_MATE)
    by_mate = mates + HIGHEST - (to_mate - 1) * MATE_STEP
    by_pawns = xp.clip(size / CENTIPAWNS, 0, HIGHEST)
    return xp.sign(value) * xp.where(size > MOST_CENTIPAWNS, by_mate, by_pawns)
