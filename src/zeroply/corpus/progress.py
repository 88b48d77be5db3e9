"""How far work is, in lines: for logs, where no terminal has room for a bar."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

EVERY = 30.0
"""Seconds between two lines."""


def in_lines(label: str) -> Callable[[int, float], None]:
    """A function that is told how many are done and which share of all the work that is."""
    begin = told = time.monotonic()

    def tell(done: int, share: float) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told >= EVERY:
            told = now
            print(
                f"{share:.1%}, {done:,} {label}, {done / (now - begin):,.0f}/s", file=sys.stderr, flush=True
            )

    return tell
