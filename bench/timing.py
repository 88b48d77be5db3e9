"""Seconds for a piece of work: the best of a few tries, since noise only ever adds."""

import time
from collections.abc import Callable


def seconds(work: Callable[[], object], tries: int = 3) -> float:
    found = []
    for _ in range(tries):
        begin = time.perf_counter()
        work()
        found.append(time.perf_counter() - begin)
    return min(found)
