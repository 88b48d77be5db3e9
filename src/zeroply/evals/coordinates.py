"""What is measured of nets that answer the coordinates of a move one by one.

Shapes: B batch, N places in a sequence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.games import Game
from zeroply.games.coordinates import coordinates


def of_coordinates(
    out: Mapping[str, NDArray[np.float32]], move: NDArray[np.int64], game: Game
) -> dict[str, NDArray[Any]]:
    """[B] whether all were right, and the NLL of each, where a net has these outputs [B, N, k]: those
    about a position's own move stand at the last place. Of other nets nothing."""
    parts = [part for part in coordinates(game) if part.name in out]
    if not parts:
        return {}
    own = {part.name: out[part.name][:, -1] for part in parts}
    right = np.all([own[part.name].argmax(1) == part.of[move] for part in parts], axis=0)
    nll = {f"nll_{part.name}": -own[part.name][np.arange(len(move)), part.of[move]] for part in parts}
    return {"all_coordinates": right, **nll}
