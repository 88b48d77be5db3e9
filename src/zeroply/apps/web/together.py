"""One net for many games: what is asked while it is busy it is asked together, in one batch."""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import Future

import numpy as np
from numpy.typing import NDArray

from zeroply.games import Rows, stack
from zeroply.players.base import Inside, Network, OpenNetwork

MOST_ROWS = 16
"""In a batch: on one thread of a CPU more gain nothing, and who came first would wait for the others."""

Outputs = dict[str, NDArray[np.float32]]


class Together:
    """A Network that may be called from any number of threads; the net itself runs in one at a time. Nobody
    waits for company: a lone question is asked at once. Answers are the same, alone or in company, but for
    the last digits of float32."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self.game, self.history, self.reads = network.game, network.history, network.reads
        self.outputs, self.about = network.outputs, network.about
        self.layers = network.layers if isinstance(network, OpenNetwork) else ()
        self._waiting: deque[tuple[Rows, Future[Outputs]]] = deque()
        self._queue, self._running = threading.Lock(), threading.Lock()

    def __call__(self, rows: Rows) -> Outputs:
        mine: Future[Outputs] = Future()
        with self._queue:
            self._waiting.append((rows, mine))
        with self._running:
            # Whoever ran the net before may have answered this too; if not, those who came earlier go first.
            while not mine.done():
                self._answer(self._next())
        return mine.result()

    def look_inside(self, rows: Rows) -> Inside:
        if not isinstance(self._network, OpenNetwork):
            raise TypeError("a net without layers is not looked into")
        with self._running:
            return self._network.look_inside(rows)

    def _next(self) -> list[tuple[Rows, Future[Outputs]]]:
        """Those that have waited longest, as many as make a batch; at least one, however large it is."""
        with self._queue:
            batch, size = [self._waiting.popleft()], 0
            size = _size(batch[0][0])
            while self._waiting and size + _size(self._waiting[0][0]) <= MOST_ROWS:
                batch.append(self._waiting.popleft())
                size += _size(batch[-1][0])
            return batch

    def _answer(self, batch: list[tuple[Rows, Future[Outputs]]]) -> None:
        try:
            read = [{name: rows[name] for name in self.reads} for rows, _ in batch]
            out = self._network(stack(read))
        except BaseException as error:
            for _, asked in batch:
                asked.set_exception(error)
            return
        end = 0
        for rows, asked in batch:
            own = slice(end, end := end + _size(rows))
            asked.set_result({name: value[own] for name, value in out.items()})


def _size(rows: Rows) -> int:
    return len(next(iter(rows.values())))
