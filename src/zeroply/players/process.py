"""A program that is talked to line by line, and never waited for longer than was said."""

from __future__ import annotations

import subprocess
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import BufferedReader
from queue import Empty, Queue
from threading import Thread
from typing import IO, cast

from zeroply.errors import EngineError

LONGEST_LINE = 65_536
MOST_BLOCKS = 100
"""Of whole lines, each of up to twice that length, unread; a program that says more meanwhile has to wait."""
FAREWELL_SECONDS = 1.0
"""For a program to end by itself."""


class Process:
    """A thread reads what the program says, so that waiting can end without it, on any system."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        # Both are there, because they were asked for.
        self._input, self._output = (
            cast(IO[bytes], self._process.stdin),
            cast(BufferedReader, self._process.stdout),
        )
        self._said: Queue[bytes | None] = Queue(MOST_BLOCKS)
        """Blocks of lines, and None after the last."""
        self._unread: deque[bytes] = deque()
        """Lines of the last block."""
        Thread(target=self._listen, daemon=True).start()

    def say(self, *lines: str) -> None:
        try:
            self._input.write("".join(f"{line}\n" for line in lines).encode())
            self._input.flush()
        except OSError:
            raise EngineError(self._end()) from None

    def lines(self, seconds: float) -> Iterator[list[str]]:
        """The words of one line after the other, from now on; an error once the seconds are over."""
        over = time.monotonic() + seconds
        while True:
            while self._unread:
                yield self._unread.popleft().decode(errors="replace").split()
            try:
                block = self._said.get(timeout=max(0.0, over - time.monotonic()))
            except Empty:
                raise EngineError(f"no answer within {seconds:g} s") from None
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
            self._process.kill()
            self._process.wait()
        with suppress(Empty):  # a child of the program may hold on to its output
            while self._said.get(timeout=FAREWELL_SECONDS) is not None:
                pass
            self._said.put(None)  # another thread may still wait for an answer

    def _listen(self) -> None:
        """Waking the other thread for every line takes long: what an engine says while it thinks is handed
        over with the line that ends it."""
        with self._output:
            held = b""
            while said := self._output.read1(LONGEST_LINE):
                held += said
                end = held.rfind(b"\n") + 1 or (len(held) if len(held) >= LONGEST_LINE else 0)
                thinking = held.startswith(b"info", held.rfind(b"\n", 0, max(0, end - 1)) + 1)
                if end and (not thinking or len(held) >= LONGEST_LINE):
                    self._said.put(held[:end])
                    held = held[end:]
            self._said.put(held)
        self._said.put(None)

    def _end(self) -> str:
        try:
            code = self._process.wait(FAREWELL_SECONDS)
        except subprocess.TimeoutExpired:
            return "it closed its input or output"
        return f"its process ended, exit code: {code}"
