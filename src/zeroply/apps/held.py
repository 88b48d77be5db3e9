"""An answer that is not given at once: it waits for a word, or for its time."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Timer


class Held:
    """At most one answer. It is said once, by whichever comes first."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._answer: list[str] = []
        """Emptied by whoever says it, which happens in one step: a late timer finds nothing."""
        self._timer: Timer | None = None

    def hold(self, line: str, seconds: float | None = None) -> None:
        """Until it is released, or for so long."""
        self._answer = [line]
        if seconds is not None:
            self._timer = Timer(seconds, self._on_time, [self._answer])
            self._timer.daemon = True  # a program that ends does not wait for it
            self._timer.start()

    def release(self) -> None:
        """Say it now, if there is one."""
        if self._timer is not None:
            self._timer.cancel()
        self._give(self._answer)

    def drop(self) -> None:
        """Never say it."""
        self._answer.clear()

    def _on_time(self, answer: list[str]) -> None:
        with suppress(BrokenPipeError):  # the program at the other end is gone
            self._give(answer)

    def _give(self, answer: list[str]) -> None:
        try:
            line = answer.pop()
        except IndexError:
            return
        self._say(line)
