"""The corpora of a run: which, in what shares, and what is sampled of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zeroply.corpus.sample.ahead import Workers
from zeroply.corpus.sample.choice import Sampling
from zeroply.corpus.sample.mixing import Batches, rows_before_repeats
from zeroply.corpus.sample.movers import samples_any
from zeroply.corpus.sample.shuffle import BLOCK, Draw, Shuffle
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.errors import ZeroplyError
from zeroply.games import Game
from zeroply.games.base import Array


@dataclass(frozen=True)
class Mixture:
    corpora: tuple[Corpus, ...]
    weights: tuple[float, ...]
    sampling: Sampling

    @classmethod
    def open(cls, weighted: Sequence[tuple[Path, float]], sampling: Sampling) -> Mixture:
        corpora = tuple(Corpus.open(path) for path, _ in weighted)
        for corpus in corpora:
            if corpus.game.name != corpora[0].game.name:
                raise ZeroplyError(
                    f"{corpus.path} holds {corpus.game.name}, {corpora[0].path} {corpora[0].game.name}. "
                    "Train on corpora of one game"
                )
        return cls(corpora, tuple(weight for _, weight in weighted), sampling)

    @property
    def game(self) -> Game:
        return self.corpora[0].game

    def about(self) -> dict[str, Any]:
        """What a checkpoint records."""
        named = ("games", "plies", "shares", "sources")
        return {
            "corpora": [
                {"weight": weight, **{key: corpus.manifest[key] for key in named}}
                for corpus, weight in zip(self.corpora, self.weights, strict=True)
            ],
            "rated": any(corpus.ratings.any() for corpus in self.corpora),
            "movers": self.sampling.movers.value,
            "positions_sampled": self.sampling.positions.value,
        }

    def has(self, split: Split) -> bool:
        return any(self._samples(corpus, split) for corpus in self.corpora)

    def batches(
        self,
        split: Split,
        *,
        batch: int,
        history: int,
        seed: int,
        place: Array,
        workers: Workers,
        steps: int,
        tell: Callable[[str], None] = lambda _: None,
    ) -> tuple[Batches, int]:
        """The first `steps` batches of a split, and how many there are before a position comes again.

        Corpora without a validation part are left out, the shares of the others kept; one without a training
        part is an error. Only in training may a batch hold more than all the positions there are.
        """
        parts = [
            (corpus, weight)
            for corpus, weight in zip(self.corpora, self.weights, strict=True)
            if split is Split.train or self._samples(corpus, split)
        ]
        total = sum(weight for _, weight in parts)
        streams = [
            workers.stream(Shuffle(draw, place, tell))
            for draw in (
                Draw(
                    path=corpus.path,
                    split=split,
                    sampling=self.sampling,
                    seed=seed,
                    block=math.ceil(BLOCK * weight / total),  # so that all blocks last for as many batches
                )
                for corpus, weight in parts
            )
        ]
        weights = [weight for _, weight in parts]
        rows = rows_before_repeats(streams, weights)
        batch = batch if split is Split.train else min(batch, rows)
        whole = max(1, rows // batch)
        steps = steps if split is Split.train else min(steps, whole)
        return Batches(streams, weights, batch=batch, history=history, steps=steps), whole

    def _samples(self, corpus: Corpus, split: Split) -> bool:
        return samples_any(corpus, split, self.sampling.movers)


def weighted(text: str) -> tuple[Path, float]:
    """CORPUS or CORPUS=WEIGHT; a folder whose own name has a '=' is taken as it is."""
    path, equals, number = text.rpartition("=")
    if not equals or Path(text).exists():
        return Path(text), 1.0
    try:
        weight = float(number)
    except ValueError:
        weight = math.nan
    if not (math.isfinite(weight) and weight > 0):
        raise ZeroplyError(f"'{number}' in {text} is not a weight. Write CORPUS=2 or CORPUS=0.5")
    return Path(path), weight
