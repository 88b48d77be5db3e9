"""What the mover may expect, in one number, from whatever a net says of it; and that number in centipawns."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.objectives.evaluation_scale import CENTIPAWNS

TELLING = ("wdl", "value", "evaluation")
"""Outputs that tell what the mover may expect, the first that there is counts."""

LC0_SCALE, LC0_BEND = 90.0, 1.5637541897
"""Lc0 writes an expected result Q = win - loss as 90 tan(1.5637541897 Q) centipawns."""


def tells(outputs: Collection[str]) -> bool:
    """Whether a net with these outputs knows what the mover may expect."""
    return any(name in outputs for name in TELLING)


def expected_points(out: Mapping[str, NDArray[Any]]) -> NDArray[np.float64]:
    """[B] points of the mover, 0 … 1: win + draw / 2, or a value as it is, or what an evaluation is worth by
    `points_of_centipawns`."""
    if "wdl" in out:
        shares: NDArray[np.float64] = np.exp(out["wdl"].astype(np.float64))
        return shares[:, 0] + shares[:, 1] / 2
    if "value" in out:
        return out["value"].astype(np.float64)
    return points_of_centipawns(CENTIPAWNS * out["evaluation"].astype(np.float64))


def points_of_centipawns(score: NDArray[np.float64]) -> NDArray[np.float64]:
    """The inverse of `centipawns`, so that a net that evaluates in centipawns is quoted with its own."""
    result: NDArray[np.float64] = np.arctan(score / LC0_SCALE) / LC0_BEND
    return (1 + result.clip(-1, 1)) / 2


def centipawns(expected: float) -> int:
    """Expected points as Lc0 writes them."""
    return round(LC0_SCALE * math.tan(LC0_BEND * max(-1.0, min(1.0, 2 * expected - 1))))
