"""Which batch each step of a run gets, for Lightning's loaders."""

from __future__ import annotations

from collections.abc import Iterator

from torch import Tensor
from torch.utils.data import Dataset, Sampler

from zeroply.corpus.sample.portion import Portion
from zeroply.training.mixture import Lessons


class Ordered(Dataset[dict[str, Tensor]]):
    """A portion of each batch in order, made on the device when it is asked for; or the first all over."""

    def __init__(self, lessons: Lessons, portion: Portion, *, first_only: bool = False) -> None:
        self._lessons, self._portion, self._first_only = lessons, portion, first_only

    def __len__(self) -> int:
        return self._lessons.steps

    def __getitem__(self, step: int) -> dict[str, Tensor]:
        return self._lessons.batches.portion(0 if self._first_only else step, self._portion)


class Onward(Sampler[int]):
    """The steps from `begin` on, once. It is as long as the whole run: Lightning counts those before too."""

    def __init__(self, begin: int, steps: int) -> None:
        self._begin, self._steps = begin, steps
        self._begun = False

    def __len__(self) -> int:
        return self._steps

    def __iter__(self) -> Iterator[int]:
        # Lightning takes a StopIteration from anywhere within a step for the end of its steps, and would then
        # begin with the first again.
        if self._begun:
            raise RuntimeError(f"a run of {self._steps} steps was about to begin anew. Please report this")
        self._begun = True
        return iter(range(self._begin, self._steps))
