"""Whether things come as often as they are said to: positions by what was said of them, and the gap there.

Shapes: n positions, K bins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.evals.bands import within
from zeroply.evals.intervals import means_over_groups
from zeroply.evals.measures import FEWEST_GAMES, measured, named


@dataclass(frozen=True, kw_only=True)
class Bins:
    """So many equal ones from the lowest to the highest that can be said."""

    low: float
    high: float
    count: int

    def of(self, said: NDArray[np.float64]) -> NDArray[np.int64]:
        """[n] the bin of each; beyond the ends the last."""
        place = (said - self.low) / (self.high - self.low) * self.count
        return place.astype(np.int64).clip(0, self.count - 1)

    def name(self, number: int) -> str:
        return f"{self.low + number * (self.high - self.low) / self.count:g}"


SHARES = Bins(low=0.0, high=1.0, count=10)


@dataclass(frozen=True, eq=False)
class Gap:
    """The expected calibration error: the mean distance between what was said and what came, over bins,
    each by its number of positions. `drawn` [resamples], when games are drawn anew; None of few games."""

    error: float
    drawn: NDArray[np.float64] | None

    def numbers(self, name: str) -> dict[str, float | None]:
        """With an interval that holds it: drawn anew it is larger, because chance adds gaps of its own."""
        if self.drawn is None:
            return named(name, (self.error, None, None))
        low, high = np.quantile(self.drawn, [0.025, 0.975])
        return named(name, (self.error, min(float(low), self.error), max(float(high), self.error)))


def gap(
    said: NDArray[np.float64], came: NDArray[np.float64], group: NDArray[np.int64], seed: int, bins: Bins
) -> Gap:
    values = np.zeros((len(said), bins.count))
    values[np.arange(len(said)), bins.of(said)] = said - came
    few = len(np.unique(group)) < FEWEST_GAMES
    return Gap(
        float(abs(values.mean(0)).sum()),
        None if few else abs(means_over_groups(values, group, seed)).sum(1),
    )


def mean_gap(gaps: list[Gap]) -> Gap:
    drawn = [one.drawn for one in gaps if one.drawn is not None]
    return Gap(float(np.mean([one.error for one in gaps])), np.mean(drawn, axis=0) if drawn else None)


def curve(
    name: str,
    said: NDArray[np.float64],
    came: NDArray[np.float64],
    group: NDArray[np.int64],
    seed: int,
    bins: Bins,
) -> dict[str, Any]:
    """Of each bin that is not empty: `came`, the mean of what came, with its interval, and `said`."""
    place, found = bins.of(said), dict[str, Any]()
    for number in np.unique(place).tolist():
        own = place == number
        numbers = {"n": int(own.sum()), **measured({"came": came[own]}, group[own], seed)}
        found |= within({**numbers, "said": float(said[own].mean())}, name, bins.name(number))
    return found
