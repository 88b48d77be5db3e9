"""Worker processes that make the blocks of a stream before they are asked for; the rows are the same."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import cache
from types import TracebackType
from typing import Self

import numpy as np

from zeroply.corpus.shuffle import Block, Shuffle, Source, Stream
from zeroply.corpus.workers import processes
from zeroply.games.base import Array


class Workers:
    """A pool of processes, to be used in a `with`; with none of them blocks are made where they are used."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool = processes(max(1, count))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def stream(self, source: Source, place: Array) -> Stream:
        """The rows of a source where `place` lives."""
        shuffle = Shuffle(source, place)
        return Stream(shuffle, self._ahead(source, place)) if self.count else Stream(shuffle)

    def _ahead(self, source: Source, place: Array) -> Callable[[int], Block]:
        coming: dict[int, Future[Block]] = {}

        def make(number: int) -> Block:
            wanted = range(number, number + self.count + 1)
            for other in coming.keys() - wanted:
                coming.pop(other).cancel()
            for other in wanted:
                if other not in coming:
                    coming[other] = self._pool.submit(_block, source, other)
            return coming.pop(number).result().to(place)

        return make


@cache
def _opened(source: Source) -> Shuffle:
    return Shuffle(source, np.empty(0))


def _block(source: Source, number: int) -> Block:
    """Runs in a worker."""
    return _opened(source).block(number)
