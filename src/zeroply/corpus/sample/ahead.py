"""Worker processes that make the blocks of a stream before they are asked for; the rows are the same."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import cache
from types import TracebackType
from typing import Self

import numpy as np

from zeroply.corpus.sample.shuffle import Block, Draw, Shuffle, Stream
from zeroply.corpus.workers import processes

MOST = 8
"""Processes at most: each has a block of some 0.5 GB waiting here, and so many outrun any net."""


class Workers:
    """A pool of processes, to be used in a `with`; with none of them blocks are made where they are used."""

    def __init__(self, count: int) -> None:
        self.count = min(count, MOST)
        self._pool = processes(max(1, self.count))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def stream(self, shuffle: Shuffle) -> Stream:
        """Its rows, where its place is."""
        return Stream(shuffle, self._ahead(shuffle)) if self.count else Stream(shuffle)

    def _ahead(self, shuffle: Shuffle) -> Callable[[range], Block]:
        coming: dict[int, Future[Block]] = {}

        def make(numbers: range) -> Block:
            wanted = numbers[: self.count + 1]
            for other in coming.keys() - wanted:
                coming.pop(other).cancel()
            for other in wanted:
                if other not in coming:
                    coming[other] = self._pool.submit(_block, shuffle.draw, other)
            return coming.pop(wanted[0]).result().to(shuffle.place)

        return make


@cache
def _opened(draw: Draw) -> Shuffle:
    return Shuffle(draw, np.empty(0))


def _block(draw: Draw, number: int) -> Block:
    """Runs in a worker."""
    return _opened(draw).block(number)
