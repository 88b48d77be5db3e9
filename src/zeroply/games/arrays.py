"""The few operations that NumPy and torch name differently, so that array code is written once."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.games.base import Array


def is_numpy(x: Array) -> bool:
    return isinstance(x, (np.ndarray, np.generic))  # a tuple, not a union: torch.compile reads this


def namespace(x: Array) -> Any:
    """`numpy` or `torch`; both know where, abs, zeros_like, cumsum, argsort and the like."""
    return np if is_numpy(x) else sys.modules["torch"]


def like(values: NDArray[Any], x: Array) -> Array:
    """A NumPy array moved to where x lives, with its own dtype."""
    return values if is_numpy(x) else sys.modules["torch"].as_tensor(values, device=x.device)


def arange(n: int, x: Array) -> Array:
    """0 … n-1 as int64, where x lives."""
    return np.arange(n) if is_numpy(x) else sys.modules["torch"].arange(n, device=x.device)


def cast(x: Array, other: Array) -> Array:
    """x with the dtype of other."""
    return x.astype(other.dtype) if is_numpy(x) else x.to(other.dtype)


def int64(x: Array) -> Array:
    """x as int64, the dtype that both libraries index with."""
    return x.astype(np.int64) if is_numpy(x) else x.long()


def repeat(x: Array, n: int) -> Array:
    """A batch of one, repeated n times in memory of its own."""
    return x.repeat(n, axis=0) if is_numpy(x) else x.repeat(n, *([1] * (x.dim() - 1)))


def nonzero(mask: Array) -> Array:
    """[k] where a one-dimensional mask holds."""
    return np.flatnonzero(mask) if is_numpy(mask) else mask.nonzero()[:, 0]


def pick(x: Array, index: Array) -> Array:
    """[B, k] the columns `index` [k] of x [B, n]; NumPy's x[:, index] lies column by column, which is slow to
    combine with anything that does not."""
    return x.take(index, axis=1) if is_numpy(x) else x[:, index]


def gather(x: Array, index: Array) -> Array:
    """[B, …] the rows `index` [B] of x; in NumPy much faster than x[index] where a row is not one number."""
    return x.take(index, axis=0) if is_numpy(x) else x.index_select(0, index)


def empty(n: int, column: Array) -> Array:
    """Room for n values of a column, where the column lives."""
    shape = (n, *column.shape[1:])
    return np.empty(shape, column.dtype) if is_numpy(column) else column.new_empty(shape)
