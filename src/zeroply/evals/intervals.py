"""95 % intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
RESAMPLES = 1000


def wilson(successes: float, n: int) -> tuple[float, float]:
    """Of a share of independent trials, by Wilson's score."""
    if n == 0:
        return 0.0, 1.0
    return score_interval(successes / n, Z * Z / n)


def score_interval(share: float, q: float) -> tuple[float, float]:
    """All true shares p from which the one that was found is not further than is likely, if its variance
    goes with p (1 - p): (share - p)² ≤ q p (1 - p)."""
    centre = (share + q / 2) / (1 + q)
    half = math.sqrt(q * share * (1 - share) + q * q / 4) / (1 + q)
    return max(0.0, centre - half), min(1.0, centre + half)


def share_of(name: str, right: Sequence[bool]) -> dict[str, float]:
    """The share of independent trials that went right, by its name and with its interval."""
    low, high = wilson(sum(right), len(right))
    return {name: sum(right) / len(right), f"{name}_low": low, f"{name}_high": high}


def bootstrap_over_groups(
    values: NDArray[np.float64], group: NDArray[np.int64], seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of the means of `values` [n, k], when whole groups (games) are drawn anew: low [k] and high [k]."""
    low, high = np.quantile(means_over_groups(values, group, seed), [0.025, 0.975], axis=0)
    return low, high


def means_over_groups(
    values: NDArray[np.float64], group: NDArray[np.int64], seed: int = 0
) -> NDArray[np.float64]:
    """[RESAMPLES, k] the means of `values` [n, k] when whole groups are drawn anew, for what is made of them.

    Positions of one game resemble each other; resampling them one by one would claim too much.
    """
    _, index = np.unique(group, return_inverse=True)
    groups = int(index.max()) + 1
    sums = np.zeros((groups, values.shape[1]))
    np.add.at(sums, index, values)
    counts = np.bincount(index, minlength=groups).astype(np.float64)
    rng = np.random.default_rng(seed)
    means = np.empty((RESAMPLES, values.shape[1]))
    for resample in range(RESAMPLES):
        weight = np.bincount(rng.integers(0, groups, groups), minlength=groups)
        means[resample] = weight @ sums / (weight @ counts)
    return means
