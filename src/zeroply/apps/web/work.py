"""Work off the event loop: many games at once, analyses beside them a few at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

GAMES = 16
"""At once: as many as one batch of a net may hold."""
ANALYSES = 2
"""At once, a part of each in turn: however many are asked for, those who play wait for no more than these."""


class Work:
    """Two sets of threads. What is asked for comes in the order in which it was asked."""

    def __init__(self) -> None:
        self._games = ThreadPoolExecutor(GAMES, thread_name_prefix="game")
        self._analyses = ThreadPoolExecutor(ANALYSES, thread_name_prefix="analysis")

    async def play(self, task: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._games, task)

    async def analyse(self, task: Callable[[], T]) -> T:
        """One part: the next one queues behind those that others wait for."""
        return await asyncio.get_running_loop().run_in_executor(self._analyses, task)
