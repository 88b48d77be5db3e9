"""Answers that wait."""

from __future__ import annotations

from queue import Queue
from threading import Event

from zeroply.apps.held import Held

FOREVER = 1e5


def test_an_answer_waits_for_its_release_and_is_said_once() -> None:
    said: list[str] = []
    held = Held(said.append)
    held.release()
    held.hold("a")
    assert said == []
    held.release()
    held.release()
    assert said == ["a"]
    held.hold("b")
    held.drop()
    held.release()
    assert said == ["a"]


def test_an_answer_comes_by_itself_when_its_time_has_come() -> None:
    said: Queue[str] = Queue()
    held = Held(said.put)
    held.hold("a", 0.01)
    assert said.get(timeout=60) == "a"
    held.release()
    assert said.empty()


def test_a_release_comes_before_a_late_timer() -> None:
    said: list[str] = []
    held = Held(said.append)
    held.hold("a", FOREVER)
    held.release()
    held.hold("b", FOREVER)
    assert said == ["a"]
    held.release()
    assert said == ["a", "b"]


def test_a_program_that_is_gone_does_not_hear_it() -> None:
    tried = Event()

    def gone(_: str) -> None:
        tried.set()
        raise BrokenPipeError

    Held(gone).hold("a", 0.0)
    assert tried.wait(60)
