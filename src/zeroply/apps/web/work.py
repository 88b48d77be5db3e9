"""Work off the event loop: many games at once, and long work beside them a little at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar
from weakref import WeakValueDictionary

from zeroply.apps.web.turns import Turns

T = TypeVar("T")

GAMES = 4
"""At once: they share one interpreter, so that with more each takes longer; larger batches gain little."""
LONG = 2
"""Pieces of long work at once: however many are asked for, those who play wait for no more than these."""
REST = 15
"""Where someone plays meanwhile, long work of an address then rests so many times as long as a piece took."""
SHORT = 60
"""Plies that are followed in no time."""


class Work:
    """Two sets of threads. For short work addresses take turns, and what is asked at a person's pace goes
    first; of long work one address has only one piece in hand."""

    def __init__(self) -> None:
        self._short = ThreadPoolExecutor(GAMES, thread_name_prefix="game")
        self._long = ThreadPoolExecutor(LONG, thread_name_prefix="long")
        self._playing = 0
        self._turns = Turns(GAMES)
        self._in_hand: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def short(self, task: Callable[[], T], *, address: str, first: bool) -> T:
        self._playing += 1
        try:
            async with self._turns.turn(address, first=first):
                return await asyncio.get_running_loop().run_in_executor(self._short, task)
        finally:
            self._playing -= 1

    async def long(self, task: Callable[[], T], *, address: str) -> T:
        """One piece: the next one queues behind those that others wait for."""
        async with self._in_hand.setdefault(address, asyncio.Lock()):
            done, seconds = await asyncio.get_running_loop().run_in_executor(self._long, _timed, task)
            if self._playing:
                await asyncio.sleep(REST * seconds)
            return done

    async def following(self, plies: int, task: Callable[[], T], *, address: str, first: bool) -> T:
        """What begins with so many plies to follow."""
        if plies <= SHORT:
            return await self.short(task, address=address, first=first)
        return await self.long(task, address=address)


def _timed(task: Callable[[], T]) -> tuple[T, float]:
    """And the seconds that it took, without those in which it waited for a thread."""
    begin = time.monotonic()
    return task(), time.monotonic() - begin
