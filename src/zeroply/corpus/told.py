"""What a row tells of the players beside the position: columns that a live position has not by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

UNRATED = 0
"""A rating that nobody knows."""
ANYONE = -1
"""In place of a `Kind`: nobody knows who plays."""
UNKNOWN: Mapping[str, np.signedinteger[Any]] = {
    "rating": np.int16(UNRATED),
    "opponent_rating": np.int16(UNRATED),
    "kind": np.int8(ANYONE),
}
"""The columns, and what stands for unknown: the mover's rating, the other's, and the `Kind` of both."""


def told(count: int, **known: int) -> dict[str, NDArray[Any]]:
    """The columns of so many rows, alike in all; what is not named is unknown."""
    return {
        name: np.full(count, known.get(name, unknown), unknown.dtype) for name, unknown in UNKNOWN.items()
    }
