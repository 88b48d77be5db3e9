"""Kendall's τ-b: how far two rankings of the same few things agree, 1 wholly, 0 not at all, -1 the reverse.

Shapes: B rankings, K things at the most.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def kendall_tau(
    a: NDArray[np.floating[Any]], b: NDArray[np.floating[Any]], there: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """[B] τ-b between the values of `a` and `b` [B, K] where `there` [B, K]; NaN where one of them ranks
    nothing: fewer than two things, or all alike.

    Of all pairs, those in the same order less those in the opposite one, over the geometric mean of how many
    each tells apart.
    """
    first, second = np.triu_indices(a.shape[1], 1)
    both = there[:, first] & there[:, second]
    order_a, order_b = (_order(x[:, first], x[:, second]) * both for x in (a, b))
    told_apart = (order_a**2).sum(1) * (order_b**2).sum(1)
    agreement: NDArray[np.float64] = (order_a * order_b).sum(1) / np.sqrt(
        np.where(told_apart, told_apart, np.nan)
    )
    return agreement


def _order(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.float64]:
    """1, 0, -1; by comparison and not by a difference, because there is none between infinities."""
    return (x > y).astype(np.float64) - (x < y)
