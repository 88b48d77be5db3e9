"""Batches from one or several streams, each with its share. Batch k is a pure function of streams and k, as
long as nobody writes into a batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zeroply.corpus.sample.portion import WHOLE, Portion
from zeroply.corpus.sample.shuffle import Stream
from zeroply.games.arrays import namespace
from zeroply.games.base import Array

PERIOD = 4096
"""Batches after which the rounding of shares repeats: they are exact to one row in so many batches."""
STRIDE = 2531
"""PERIOD by the golden ratio, and odd: multiples of it fill the period evenly at every length."""


class Batches:
    """Training batches of `batch` rows with `history` past moves; streams go through epochs of their own."""

    def __init__(
        self,
        streams: Sequence[Stream],
        weights: Sequence[float],
        *,
        batch: int,
        history: int,
        steps: int | None = None,
        most: int | None = None,
    ) -> None:
        """`steps` says that only batches 0 … steps - 1 will be asked for; `most` that a stream gives no more
        rows than that, so that the last batch may be smaller."""
        self._streams, self._history = streams, history
        self._most = most
        exact = batch * np.asarray(weights, np.float64) / np.sum(weights)
        whole = np.floor(exact + 1e-9)  # shares that are whole numbers but for the rounding of floats
        # Lay all remainders end to end on a line and a comb on it, whose teeth are one apart: a stream whose
        # stretch is hit gets one row more. Always as many as are left, each in the long run by its remainder.
        line = np.cumsum([0, *(exact - whole)])
        line[-1] = np.round(line[-1])
        comb = (np.arange(PERIOD) * STRIDE % PERIOD + 0.5) / PERIOD
        counts = whole + np.diff(np.ceil(line - comb[:, None]), axis=1)
        self._before = np.cumsum([np.zeros_like(whole), *counts], axis=0).astype(np.int64)
        if steps is not None:
            for stream, rows in zip(streams, self.before(steps), strict=True):
                stream.expect(rows)

    def before(self, k: int) -> list[int]:
        """How many rows of each stream the batches 0 … k - 1 take."""
        periods, within = divmod(k, PERIOD)
        taken = periods * self._before[-1] + self._before[within]
        return [int(rows) for rows in (taken if self._most is None else taken.clip(max=self._most))]

    def __getitem__(self, k: int) -> dict[str, Array]:
        return self.portion(k, WHOLE)

    def portion(self, k: int, portion: Portion) -> dict[str, Array]:
        """A portion of batch k; of a batch with fewer rows than portions some have none."""
        before, after = self.before(k), self.before(k + 1)
        low, high = portion.bounds(sum(after) - sum(before))
        if low == high:
            return {name: column[:0] for name, column in self[k].items()}
        pieces = []
        for stream, first, last in zip(self._streams, before, after, strict=True):
            count = last - first
            pieces += stream.take(first + min(low, count), first + min(high, count), self._history)
            low, high = max(low - count, 0), max(high - count, 0)
        if len(pieces) == 1:
            return pieces[0]
        return {
            name: namespace(column).concatenate([piece[name] for piece in pieces])
            for name, column in pieces[0].items()
        }


def rows_before_repeats(streams: Sequence[Stream], weights: Sequence[float]) -> int:
    """How many rows of a mixture come before the first stream begins anew; at least one."""
    shares = np.asarray(weights, np.float64) / np.sum(weights)
    return max(1, int(min(stream.epoch / share for stream, share in zip(streams, shares, strict=True))))
