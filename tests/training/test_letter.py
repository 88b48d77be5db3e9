"""What a GPU sends to the host comes when it comes: nothing is read before it is there as a whole, nothing
that is under way is overwritten. With a GPU of this file's own making, whose numbers arrive one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from zeroply.artefacts import load_checkpoint
from zeroply.errors import ZeroplyError
from zeroply.training.folder import NOT_FINITE
from zeroply.training.watch import Watch, _Letter

TERMS = 3
LENGTH = 1 + TERMS + 1
"""Numbers of a record: the step, what it found, and the gradient."""


class OnDevice(Tensor):
    """Says that it is on a GPU; so does all that is made of it."""

    @property
    def is_cuda(self) -> bool:  # type: ignore[override]  # torch's is no property
        return True


class Pinned(Tensor):
    """A page that a GPU writes to in its own time."""

    way: Way

    def copy_(self, source: Tensor, non_blocking: bool = False) -> Tensor:
        assert non_blocking, "the host waits"
        assert not self.way.coming, "what is under way is overwritten"
        self.way.coming = list(enumerate(source.tolist()))
        self.way.sent.append(source.tolist())
        return self


class Way:
    """From the GPU to the host."""

    def __init__(self) -> None:
        self.coming: list[tuple[int, float]] = []
        self.sent: list[list[float]] = []
        self.page = torch.zeros(0)

    def move(self, numbers: int) -> None:
        """So many more arrive."""
        for place, value in self.coming[:numbers]:
            self.page[place] = value
        del self.coming[:numbers]

    def pinned(self, shape: torch.Size, *, pin_memory: bool) -> Tensor:
        assert pin_memory  # else no copy goes on by itself
        self.page = torch.empty(shape).fill_(0.0)
        page = self.page.as_subclass(Pinned)
        page.way = self
        return page

    def event(self) -> Any:
        """Comes behind all that was sent before it was recorded."""
        way = self

        class Event:
            behind = 0

            def record(self) -> None:
                self.behind = len(way.sent)

            def query(self) -> bool:
                arrived = len(way.sent) - bool(way.coming)
                return arrived >= self.behind

        return Event()


@contextmanager
def a_gpu() -> Iterator[Way]:
    way = Way()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("torch.zeros", way.pinned)
        patch.setattr("torch.cuda.Event", way.event)
        yield way


arrivals = st.lists(st.integers(0, LENGTH + 1), min_size=1, max_size=30)
"""How many numbers arrive after each step."""


@given(arrivals)
def test_what_is_read_was_sent_as_a_whole_and_is_the_last_that_arrived(moved: list[int]) -> None:
    nothing = [0.0] * LENGTH
    with a_gpu() as way:
        letter, read = _Letter(torch.ones(LENGTH)), list[tuple[Tensor, list[float]]]()
        for step, numbers in enumerate(moved):
            arrived = way.sent[:-1] if way.coming else way.sent[:]
            found = letter.exchange(torch.arange(LENGTH) + 100.0 * (step + 1))
            assert found.tolist() == (arrived[-1] if arrived else nothing)
            read.append((found, found.tolist()))
            way.move(numbers)
        assert all(tensor.tolist() == then for tensor, then in read), "what was read has changed since"


def batch(step: int) -> dict[str, Tensor]:
    return {"move": torch.tensor([step])}


@given(arrivals, st.data())
def test_the_first_step_that_is_not_finite_is_named_however_late_it_is_heard_of(
    tmp_path_factory: pytest.TempPathFactory, moved: list[int], data: st.DataObject
) -> None:
    bad = data.draw(st.integers(0, len(moved) - 1), "the step")
    name = data.draw(st.sampled_from(["policy", "wdl", "value", "gradient"]), "what is not finite")
    out = tmp_path_factory.mktemp("run")
    watch, anything = Watch(out, batch, {}), st.sampled_from([1.0, math.nan, math.inf])

    def run() -> None:
        for step, numbers in enumerate(moved):
            found = dict.fromkeys(["policy", "wdl", "value", "gradient"], 1.0)
            if step == bad:
                found[name] = math.nan
            elif step > bad:  # whatever comes after it
                found = {term: data.draw(anything) for term in found}
            watch.see(step, {term: torch.tensor(one).as_subclass(OnDevice) for term, one in found.items()})
            way.move(numbers)
        watch._check_device()  # as at the end of a run, where the last step is waited for

    with a_gpu() as way, pytest.raises(ZeroplyError, match=rf"{name}.* is not finite at step {bad + 1}; "):
        run()
    assert load_checkpoint(out / NOT_FINITE)[0]["move"].tolist() == [bad]
