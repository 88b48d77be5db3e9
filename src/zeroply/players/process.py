"""A program that is talked to line by line, and never waited for longer than was said."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from io import BufferedReader
from queue import Empty, Queue
from threading import Lock, Thread
from typing import IO, cast

from zeroply.corpus.workers import at_end
from zeroply.errors import EngineError

LONGEST_LINE = 65_536
MOST_BLOCKS = 100
"""Of whole lines, each of up to twice that length, unread; a program that says more meanwhile has to wait."""
LONGEST = 10
"""Times the seconds that it may be silent: so long may it think about one answer."""
FAREWELL_SECONDS = 1.0
"""For a program to end by itself."""
_RUNNING: set[Process] = set()
"""Also those that have not greeted yet, of which nobody else knows."""
_STARTING = Lock()
"""Held by whoever starts a program; and for good when all have to end, so that none is started any more."""


class Process:
    """A thread reads what the program says, so that waiting can end without it, on any system.

    The program leads a session of its own: Ctrl-C is ours to hear, and what it has started (an engine behind
    a shell's script) ends with it.
    """

    def __init__(self, command: Sequence[str]) -> None:
        _close_all_at_end()
        self._said: Queue[bytes | None] = Queue(MOST_BLOCKS)
        """Blocks of lines, and None after the last."""
        self._unread: deque[bytes] = deque()
        """Lines of the last block."""
        self._thought = time.monotonic()
        """When it last said something while it was thinking."""
        with _STARTING:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            # Both are there, because they were asked for.
            self._input, self._output = (
                cast(IO[bytes], self._process.stdin),
                cast(BufferedReader, self._process.stdout),
            )
            _RUNNING.add(self)
        Thread(target=self._listen, daemon=True).start()

    def say(self, *lines: str) -> None:
        try:
            self._input.write("".join(f"{line}\n" for line in lines).encode())
            self._input.flush()
        except OSError:
            raise EngineError(self._end()) from None

    def lines(self, seconds: float) -> Iterator[list[str]]:
        """The words of one line after the other, from now on; an error once the seconds are over. They begin
        anew with each `info`: who says that is thinking, but not for ever. Other words do not buy time."""
        begin = time.monotonic()
        while True:
            while self._unread:
                yield self._unread.popleft().decode(errors="replace").split()
            end = min(max(begin, self._thought), begin + (LONGEST - 1) * seconds) + seconds
            left = end - time.monotonic()
            if left <= 0:
                raise EngineError(f"no answer within {round(end - begin, 1):g} s")
            try:
                block = self._said.get(timeout=left)
            except Empty:
                continue  # it may have been thinking meanwhile
            if block is None:
                self._said.put(None)  # it will be asked again
                raise EngineError(self._end())
            self._unread.extend(block.splitlines())

    def close(self) -> None:
        """Ask it to quit; one that does not is killed."""
        with suppress(EngineError):
            self.say("quit")
        with suppress(OSError):
            self._input.close()
        try:
            self._process.wait(FAREWELL_SECONDS)
        except subprocess.TimeoutExpired:
            self._kill()
            self._process.wait()
        _RUNNING.discard(self)
        try:
            while self._said.get(timeout=FAREWELL_SECONDS) is not None:
                pass
            self._said.put(None)  # another thread may still wait for an answer
        except Empty:  # a child of the program holds on to its output
            self._kill()

    def _kill(self) -> None:
        """The program and what it has started."""
        if os.name != "posix":
            self._process.kill()
            return
        with suppress(ProcessLookupError, PermissionError):  # the latter of a group of zombies, on macOS
            os.killpg(self._process.pid, signal.SIGKILL)

    def _listen(self) -> None:
        """Waking the other thread for every line takes long: what an engine says while it thinks is handed
        over with the first line that is something else."""
        with self._output:
            held, known = b"", 0  # up to there it was thinking
            while said := self._output.read1(LONGEST_LINE):
                held += said
                end = held.rfind(b"\n") + 1 or (len(held) if len(held) >= LONGEST_LINE else 0)
                thoughts = [line.startswith(b"info") for line in held[known:end].splitlines()]
                known = end
                if any(thoughts):
                    self._thought = time.monotonic()
                if not all(thoughts) or (end and len(held) >= LONGEST_LINE):
                    self._said.put(held[:end])
                    held, known = held[end:], 0
            self._said.put(held)
        self._said.put(None)

    def _end(self) -> str:
        try:
            code = self._process.wait(FAREWELL_SECONDS)
        except subprocess.TimeoutExpired:
            return "it closed its input or output"
        return f"its process ended, exit code: {code}"


@cache
def _close_all_at_end() -> None:
    at_end(_close_all)


def _close_all() -> None:
    _STARTING.acquire(timeout=FAREWELL_SECONDS)
    for process in [*_RUNNING]:
        process.close()
