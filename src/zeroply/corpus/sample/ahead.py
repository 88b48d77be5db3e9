"""Blocks of a stream made before they are asked for; the rows are the same.

Worker processes make them if there are any. What is left to do on a GPU, all of the work or moving a block
there, a thread does on a CUDA stream of its own while the net learns from the block before. Without a GPU the
net wants all the cores itself, so a block is made when its turn comes.
"""

from __future__ import annotations

from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import cache
from types import TracebackType
from typing import Self

import numpy as np

from zeroply.corpus.sample.shuffle import Block, Draw, Make, Shuffle, Stream
from zeroply.corpus.workers import processes
from zeroply.games.arrays import namespace, on_cpu
from zeroply.games.base import Array

MOST = 8
"""Processes at most: each has a block of some 0.5 GB waiting here, and so many outrun any net."""


class Workers:
    """A pool of processes and a thread, to be used in a `with`."""

    def __init__(self, count: int) -> None:
        self.count = min(count, MOST)
        self._pool = processes(self.count) if self.count else None  # one leaves semaphores if it is killed
        self._thread = ThreadPoolExecutor(1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._thread.shutdown(cancel_futures=True)

    def stream(self, shuffle: Shuffle) -> Stream:
        """Its rows, where its place is."""
        make = shuffle.first if self._pool is None else _by_processes(shuffle, self._pool, self.count)
        if not on_cpu(shuffle.place):
            make = one_ahead(on_side_stream(make, shuffle.place), self._thread)
        return Stream(shuffle, make)


def _by_processes(shuffle: Shuffle, pool: Executor, count: int) -> Make:
    coming: dict[int, Future[Block]] = {}

    def make(numbers: range) -> Block:
        wanted = numbers[: count + 1]
        for other in coming.keys() - wanted:
            coming.pop(other).cancel()
        for other in wanted:
            if other not in coming:
                coming[other] = pool.submit(_block, shuffle.draw, other)
        return coming.pop(wanted[0]).result().to(shuffle.place)

    return make


def one_ahead(make: Make, thread: Executor) -> Make:
    """Does the same, but begins with the next block, if there is one, as soon as one is handed out."""
    coming: dict[int, Future[Block]] = {}

    def ahead(numbers: range) -> Block:
        wanted = coming.pop(numbers[0], None) or thread.submit(make, numbers)
        while coming:  # of a stream that was to go on elsewhere
            coming.popitem()[1].cancel()
        block = wanted.result()
        if numbers[1:]:
            coming[numbers[1]] = thread.submit(make, numbers[1:])
        return block

    return ahead


def on_side_stream(make: Make, place: Array) -> Make:
    """Does the same, on a CUDA stream of its own, for use on the stream that is current now."""
    cuda = namespace(place).cuda
    side, here = cuda.Stream(place.device), cuda.current_stream(place.device)

    def beside(numbers: range) -> Block:
        with cuda.stream(side):
            block = make(numbers)
            for column in block.columns():
                column.record_stream(here)  # else its memory is used again before the last batch is done
            side.synchronize()
        return block

    return beside


@cache
def _opened(draw: Draw) -> Shuffle:
    return Shuffle(draw, np.empty(0))


def _block(draw: Draw, number: int) -> Block:
    """Runs in a worker."""
    return _opened(draw).block(number)
