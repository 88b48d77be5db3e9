"""The parts of a run's corpora, as batches where the net is: one to learn, others to be looked at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor
from torch.utils.data import DataLoader

from zeroply.corpus.sample.ahead import Workers
from zeroply.corpus.score import Split
from zeroply.recipes import System
from zeroply.recipes.plan import Steps
from zeroply.training.mixture import Lessons, Mixture
from zeroply.training.ranks import Ranks, say
from zeroply.training.steps import Ordered

LOOK_TOKENS = 2**16
"""Tokens of a batch that is only looked at; it is as large as one that is learned, at least."""


@dataclass(frozen=True)
class Parts:
    system: System
    mixture: Mixture
    ranks: Ranks
    workers: Workers

    def lessons(self, batch: int, seed: int) -> Lessons:
        """All batches of the run."""
        length = self.system.plan.length

        def steps(epoch: int) -> int:
            return length.count if isinstance(length, Steps) else max(1, round(length.count * epoch))

        return self._batches(Split.train, batch=batch, seed=seed, steps=steps, chunk=self.system.plan.chunk)

    def look_at(self, split: Split, rows: float) -> Lessons:
        """The first `rows` positions of a part, or all: the same ones, however runs mix what they learn."""
        tokens = sum(stream.length for stream in self.system.encoding.streams.values())
        batch = max(self.system.plan.batch, LOOK_TOKENS // tokens)

        def steps(epoch: int) -> int:
            return int(min(max(1, rows / batch), epoch))

        return self._batches(split, batch=batch, seed=0, steps=steps)

    def loader(self, lessons: Lessons) -> DataLoader[dict[str, Tensor]]:
        """This process's portion of each batch, for Lightning."""
        return DataLoader(Ordered(lessons, self.ranks.portion), batch_size=None)

    @property
    def _batches(self) -> partial[Lessons]:
        return partial(
            self.mixture.batches,
            history=self.system.encoding.history,
            place=torch.empty(0, device=self.ranks.device),
            workers=self.workers,
            tell=say,
        )
