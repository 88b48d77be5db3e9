"""Work off the event loop: many games at once, and long work beside them a little at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar
from weakref import WeakValueDictionary

T = TypeVar("T")

GAMES = 16
"""At once: as many as one batch of a net may hold."""
LONG = 2
"""Pieces of long work at once: however many are asked for, those who play wait for no more than these."""
REST = 6
"""Where someone plays meanwhile, long work of an address then rests so many times as long as a piece took."""
SHORT = 60
"""Plies that are followed in no time."""


class Work:
    """Two sets of threads. In each, what is asked for is done in the order in which it was asked; but of long
    work one address has only one piece in hand, so that others get their turn."""

    def __init__(self) -> None:
        self._short = ThreadPoolExecutor(GAMES, thread_name_prefix="game")
        self._long = ThreadPoolExecutor(LONG, thread_name_prefix="long")
        self._playing = 0
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def short(self, task: Callable[[], T]) -> T:
        self._playing += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._short, task)
        finally:
            self._playing -= 1

    async def long(self, task: Callable[[], T], *, address: str) -> T:
        """One piece: the next one queues behind those that others wait for."""
        async with self._turns.setdefault(address, asyncio.Lock()):
            begin = time.monotonic()
            done = await asyncio.get_running_loop().run_in_executor(self._long, task)
            if self._playing:
                await asyncio.sleep(REST * (time.monotonic() - begin))
            return done

    async def following(self, plies: int, task: Callable[[], T], *, address: str) -> T:
        """What begins with so many plies to follow."""
        return await (self.short(task) if plies <= SHORT else self.long(task, address=address))
