"""Work spread over processes, in the order of the jobs and with few of them waiting in memory."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import TypeVar

Job = TypeVar("Job")
Done = TypeVar("Done")


def in_order(work: Callable[[Job], Done], jobs: Iterable[Job], workers: int) -> Iterator[Done]:
    """What `work`, a function of a module, makes of each job; jobs are asked for as they are needed."""
    if workers == 1:
        yield from map(work, jobs)
        return
    # Not by fork: libraries hold threads and locks by now.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _end_with, (os.getpid(),)) as pool:
        running = deque[Future[Done]]()
        for job in jobs:
            running.append(pool.submit(work, job))
            if len(running) > 2 * workers:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()


def _end_with(parent: int) -> None:
    """Ends this process when its parent is gone: one that was killed cannot tell its workers."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.2)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
