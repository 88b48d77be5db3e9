"""The parts of a run's corpora, as batches where the net is: one to learn, others to be looked at."""

from __future__ import annotations

from collections.abc import Sequence
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
class Look:
    """At the part of one corpus that a run is judged by."""

    corpus: str
    lessons: Lessons
    weight: float
    """What a row counts for: so that each corpus has its share, however few rows it has."""


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

        return self._batches(
            self.mixture, Split.train, batch=batch, seed=seed, steps=steps, chunk=self.system.plan.chunk
        )

    def looks_at(self, split: Split, rows: float) -> list[Look]:
        """The first positions of a part, about `rows` of all corpora in their shares, or as many as there
        are: the same ones, however runs mix what they learn. Corpora without that part are left out."""
        having = self.mixture.having(split)
        names = [mixture.corpora[0].path.name for _, mixture in having]
        looks = []
        for (share, mixture), name in zip(having, names, strict=True):
            lessons = self._look_at(mixture, split, rows * share)
            alone = name if names.count(name) == 1 else str(mixture.corpora[0].path)
            looks.append(Look(alone, lessons, share / lessons.rows))
        return looks

    def loaders(self, looks: Sequence[Look]) -> list[DataLoader[dict[str, Tensor]]]:
        """This process's portion of each batch, for Lightning."""
        return [DataLoader(Ordered(look.lessons, self.ranks.portion), batch_size=None) for look in looks]

    def _look_at(self, mixture: Mixture, split: Split, rows: float) -> Lessons:
        tokens = sum(stream.length for stream in self.system.encoding.streams.values())
        batch = max(self.system.plan.batch, LOOK_TOKENS // tokens)

        def steps(epoch: int) -> int:
            return int(min(max(1, rows / batch), epoch))

        return self._batches(mixture, split, batch=batch, seed=0, steps=steps)

    @property
    def _batches(self) -> partial[Lessons]:
        return partial(
            Mixture.batches,
            history=self.system.encoding.history,
            place=torch.empty(0, device=self.ranks.device),
            workers=self.workers,
            tell=say,
        )
