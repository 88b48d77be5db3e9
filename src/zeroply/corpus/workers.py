"""Work spread over processes, in the order of the jobs and with few of them waiting in memory."""

from __future__ import annotations

import fcntl
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeVar

from zeroply.errors import ReadError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Job = TypeVar("Job")
Done = TypeVar("Done")

GOODBYE_SECONDS = 10.0
"""For a worker to close what it has opened; an engine that does not listen takes it two."""
_goodbyes: list[Callable[[], None]] = []


def in_order(work: Callable[[Job], Done], jobs: Iterable[Job], workers: int) -> Iterator[Done]:
    """What `work`, a function of a module, makes of each job; jobs are asked for as they are needed."""
    if workers == 1:
        yield from map(work, jobs)
        return
    with processes(workers) as pool:
        running: deque[Future[Done]] = deque()
        try:
            for job in jobs:
                running.append(pool.submit(work, job))
                if len(running) > workers:  # one is waiting, so that nobody is idle
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()
        except BaseException:
            end_children()  # an error or Ctrl-C does not wait for work that nobody wants any more
            raise


def as_finished(work: Callable[[Job], Done], jobs: Iterable[Job], workers: int) -> Iterator[Done]:
    """The same in the order in which jobs get done, so that a long one holds up nobody."""
    if workers == 1:
        yield from map(work, jobs)
        return
    from concurrent.futures import FIRST_COMPLETED, wait

    waiting = iter(jobs)
    with processes(workers) as pool:
        running: set[Future[Done]] = set()
        try:
            while True:
                running |= {pool.submit(work, job) for job in islice(waiting, 2 * workers - len(running))}
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for one in done:
                    yield one.result()
        except BaseException:
            end_children()
            raise


def processes(count: int) -> ProcessPoolExecutor:
    """A pool whose processes end with this one, however it ends."""
    import multiprocessing  # here, for a small build takes not much longer than these imports
    from concurrent.futures import ProcessPoolExecutor

    # Not by fork: a copy of a process that has threads, locks or a GPU does not work.
    return ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _begin, (os.getpid(),))


def end_children() -> None:
    """Tell all workers to end; those that do not are killed."""
    import multiprocessing

    children = multiprocessing.active_children()
    for child in children:
        child.terminate()
    end = time.monotonic() + GOODBYE_SECONDS
    for child in children:
        child.join(max(0.0, end - time.monotonic()))
        if child.is_alive():
            child.kill()


def at_end(close: Callable[[], None]) -> None:
    """Have something closed when this process ends: by itself, or as a worker that is told to or whose parent
    is gone."""
    from multiprocessing.util import Finalize

    Finalize(None, close, exitpriority=1)  # the processes of a pool end without the usual goodbyes
    _goodbyes.append(close)


@contextmanager
def only_one(lock: Path, otherwise: str) -> Iterator[None]:
    """Holds a lock on a file that ends with this process; where another has it, `otherwise` is the error."""
    with lock.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ReadError(otherwise) from None
        except OSError:
            pass  # a file system without locks
        yield


def end_with(parent: int) -> None:
    """Ends this process when its parent is gone: one that was killed cannot tell its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the first one ends the rest

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.2)
        _leave()

    threading.Thread(target=watch, daemon=True).start()


def _begin(parent: int) -> None:
    """In a worker of a pool. The pool would catch an exception and go on with its next job: when it is told
    to end, another thread says goodbye and ends it."""
    end_with(parent)
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=_leave).start())


def _leave() -> NoReturn:
    for close in _goodbyes:
        with suppress(Exception):  # one that cannot be closed must not keep the others
            close()
    os._exit(1)
