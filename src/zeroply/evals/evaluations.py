"""How near a net's evaluations come to an engine's, on seed 003's scale."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.evals.intervals import means_over_groups
from zeroply.evals.measures import FEWEST_GAMES

ALIKE = 1e-9
"""A variance of rounding errors."""


def agreement(
    said: NDArray[np.float64],
    wanted: NDArray[np.float64],
    turns: NDArray[np.int8],
    games: NDArray[np.int64],
    seed: int,
) -> dict[str, Any]:
    """Mean squared error, the variance of the engine's evaluations, and which share of that the net explains;
    with intervals where there are enough games. All [n].

    Evaluations are the mover's. Their variance is that of the first player's, as the seed's is: who moves
    first is a little better off, and to know who moves explains nothing."""
    firsts = np.where(turns == 0, wanted, -wanted)
    values = np.stack([(said - wanted) ** 2, firsts, firsts**2], 1)
    measured = _measures(values.mean(0))
    drawn = dict[str, NDArray[np.float64]]()
    if len(np.unique(games)) >= FEWEST_GAMES:
        drawn = _measures(means_over_groups(values, games, seed))
    result: dict[str, Any] = {"evaluations": len(values)}
    for name, value in measured.items():
        low, high = np.quantile(drawn[name], [0.025, 0.975]) if name in drawn else (np.nan, np.nan)
        numbers = {name: value, f"{name}_low": low, f"{name}_high": high}
        result |= {key: float(number) if np.isfinite(number) else None for key, number in numbers.items()}
    return result


def _measures(means: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """Of the means [..., 3] of squared error, target and squared target."""
    error, mean, square = np.moveaxis(means, -1, 0)
    variance = square - mean**2
    return {
        "evaluation_mse": error,
        "evaluation_variance": variance,
        # Targets that are all alike leave nothing to explain.
        "explained_variance": 1 - error / np.where(variance > ALIKE, variance, np.nan),
    }
