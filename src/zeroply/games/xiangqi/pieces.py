"""The pieces of xiangqi as numbers: their codes, where each can go and what must be free for it.

Shapes: 90 squares. A place off the board, or forbidden to the piece, is NOWHERE.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
"""Piece codes, Black's negative; P A B N C R K in a FEN."""
NOWHERE = SQUARES
"""A square off the board, behind the 90 others."""


def squares(steps: list[tuple[int, int]], within: frozenset[int] | None = None) -> NDArray[np.int8]:
    """[90, len(steps)] the square that each step leads to; `within` some squares, from them and to them."""
    found = np.full((SQUARES, len(steps)), NOWHERE, np.int8)
    for square in range(SQUARES):
        for number, step in enumerate(steps):
            end = shifted(square, *step)
            if end is not None and (within is None or {square, end} <= within):
                found[square, number] = end
    return found


def soldier_squares(forward: int) -> NDArray[np.int8]:
    """[90, 3] for the side that goes up (1) or down (-1) the board: ahead, and sideways behind the river."""
    found = squares([(0, forward), (-1, 0), (1, 0)])
    home = np.arange(SQUARES) < 45 if forward > 0 else np.arange(SQUARES) >= 45
    found[home, 1:] = NOWHERE
    return found


RAYS = np.stack([squares([(f * n, r * n) for n in range(1, 10)]) for f, r in STRAIGHT], axis=1)
"""[90, 4, 9] squares seen from a square in each direction, nearest first; 0 and 2 along the file."""
HORSES = squares(JUMPS)
LEGS = squares([(int(f / 2), int(r / 2)) for f, r in JUMPS])
"""[90, 8] where horses jump to, and what must be empty for it."""
ELEPHANTS, EYES = squares(LONG_DIAGONAL, ELEPHANT_POINTS), squares(DIAGONAL)
"""[90, 4] where elephants go, and what must be empty for it."""
ADVISORS, GENERALS = squares(DIAGONAL, ADVISOR_POINTS), squares(STRAIGHT, PALACES)
"""[90, 4] where advisors and generals go."""
SOLDIERS = np.stack([soldier_squares(1), soldier_squares(-1)])
"""[2, 90, 3] where Red's, then Black's soldiers go."""

HORSES_BEFORE = squares([(-f, -r) for f, r in JUMPS])
LEGS_BEFORE = squares([(int(f / 2) - f, int(r / 2) - r) for f, r in JUMPS])
"""[90, 8] where horses stand that jump to a square, and what must be empty for it."""
