"""Means over positions with 95 % intervals over games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.evals.intervals import bootstrap_over_groups, wilson

FEWEST_GAMES = 10
"""With fewer games than this no interval is given: it would be drawn from next to nothing."""


def joined(parts: Sequence[Mapping[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """The columns of batches, end to end."""
    return {name: np.concatenate([one[name] for one in parts]) for name in parts[0]}


def measured(columns: Mapping[str, NDArray[Any]], group: NDArray[np.int64], seed: int) -> dict[str, Any]:
    """The mean of each column [n] by its name, and its interval when whole groups (games) are drawn anew."""
    if not columns:
        return {}
    groups = len(np.unique(group))
    intervals = _intervals(columns, group, groups, seed) if groups >= FEWEST_GAMES else {}
    result = dict[str, Any]()
    for name, column in columns.items():
        result |= named(name, (float(column.mean(dtype=np.float64)), *intervals.get(name, (None, None))))
    return result


def named(name: str, bounds: Sequence[float | None]) -> dict[str, float | None]:
    """A mean and its interval."""
    return dict(zip((name, f"{name}_low", f"{name}_high"), bounds, strict=True))


def _intervals(
    columns: Mapping[str, NDArray[Any]], group: NDArray[np.int64], groups: int, seed: int
) -> dict[str, tuple[float, float]]:
    """By name. Where a share is the same in all games a new draw shows no spread, as if it were certain that
    one who got none of 11 never gets any: there the games are so many trials."""
    values = np.stack(list(columns.values()), 1).astype(np.float64)
    bounds = zip(*(bound.tolist() for bound in bootstrap_over_groups(values, group, seed)), strict=True)
    found = dict[str, tuple[float, float]]()
    for (name, column), (low, high) in zip(columns.items(), bounds, strict=True):
        is_share = column.dtype == np.bool_
        found[name] = (
            wilson(float(column.mean()) * groups, groups) if is_share and low == high else (low, high)
        )
    return found
