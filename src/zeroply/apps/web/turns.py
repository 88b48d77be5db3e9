"""Places for so many at once: those who ask at a person's pace first, and addresses in turn."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

Queues = dict[str, deque[asyncio.Future[None]]]

HURRIED = 16
"""One place of so many goes to those who ask faster: where others fill the machine they wait, but not for
ever."""


class Turns:
    """Each address has a queue, and each queue its turn: one who waits alone goes before the second of a
    crowd from elsewhere, however long that crowd is. What is asked faster than people play comes behind what
    is not. Where nobody else asks, one address has all places."""

    def __init__(self, places: int) -> None:
        self._free, self._given = places, 0
        self._first: Queues = {}
        self._then: Queues = {}
        """Their first address is the next one; no queue is empty, and none is there while a place is free."""

    @asynccontextmanager
    async def turn(self, address: str, *, first: bool) -> AsyncIterator[None]:
        """Around what needs a place."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(self._first if first else self._then, address)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, queues: Queues, address: str) -> None:
        given: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queues.setdefault(address, deque()).append(given)
        try:
            await given
        except asyncio.CancelledError:
            if not given.cancelled():  # it was given just then
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """A place that was left goes to the next who still waits."""
        self._given += 1
        hurried = self._given % HURRIED == 0
        while queues := (hurried and self._then) or self._first or self._then:
            address = next(iter(queues))
            queue = queues.pop(address)
            given = queue.popleft()
            if queue:
                queues[address] = queue  # behind all others
            if not given.cancelled():
                given.set_result(None)
                return
        self._free += 1
