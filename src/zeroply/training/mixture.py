"""The corpora of a run: which, in what shares, and what is sampled of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from zeroply.corpus.origin import origin
from zeroply.corpus.ratings import people_between, strongest
from zeroply.corpus.sample.ahead import Workers
from zeroply.corpus.sample.choice import EVERYTHING, Positions, Sampling
from zeroply.corpus.sample.mixing import Batches, rows_before_repeats
from zeroply.corpus.sample.movers import Movers, samples_any
from zeroply.corpus.sample.shuffle import BLOCK, Draw, Shuffle
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.errors import ZeroplyError
from zeroply.games import Game
from zeroply.games.base import Array


@dataclass(frozen=True)
class Lessons:
    """Batches 0 … steps - 1; after every `epoch` of them positions come again."""

    batches: Batches
    steps: int
    epoch: int
    positions: int
    """How many there are, of all corpora together."""
    passes: tuple[float, ...]
    """How many times all those of each corpus come."""

    @property
    def rows(self) -> int:
        """Of all batches."""
        return sum(self.batches.before(self.steps))


@dataclass(frozen=True)
class Mixture:
    corpora: tuple[Corpus, ...]
    weights: tuple[float, ...]
    samplings: tuple[Sampling, ...]
    """What is sampled of each."""

    @classmethod
    def open(cls, weighted: Sequence[tuple[Path, float]]) -> Mixture:
        corpora = tuple(Corpus.open(path) for path, _ in weighted)
        for corpus in corpora:
            if corpus.game.name != corpora[0].game.name:
                raise ZeroplyError(
                    f"{corpus.path} holds {corpus.game.name}, {corpora[0].path} {corpora[0].game.name}. "
                    "Train on corpora of one game"
                )
        return cls(corpora, tuple(weight for _, weight in weighted), (EVERYTHING,) * len(corpora))

    def sampled(
        self, usual: Sampling, movers: Sequence[Movers] = (), positions: Positions | None = None
    ) -> Mixture:
        """With `usual` for all corpora; `movers`, one for all or one for each, and `positions` change it."""
        if len(movers) not in (0, 1, len(self.corpora)):
            raise ZeroplyError(
                f"--movers names {len(movers)} choices for {len(self.corpora)} corpora. "
                "Give one for all or one for each"
            )
        if positions is Positions.windows and usual.positions is not Positions.windows:
            raise ZeroplyError(
                "--positions windows is for recipes that learn all moves of a window; this one learns one of "
                "each row. Choose all, unique or subsequences"
            )
        of_each = (
            movers if len(movers) == len(self.corpora) else [*movers, usual.movers][:1] * len(self.corpora)
        )
        chosen = [replace(usual, movers=one, positions=positions or usual.positions) for one in of_each]
        named = [
            (corpus.path.resolve(), one.movers) for corpus, one in zip(self.corpora, chosen, strict=True)
        ]
        for at, (path, _) in enumerate(named):
            if named[at] in named[:at]:
                raise ZeroplyError(f"{path} is named twice. Name it once, with the sum of its weights")
        return replace(self, samplings=tuple(chosen))

    @property
    def game(self) -> Game:
        return self.corpora[0].game

    def about(self) -> dict[str, Any]:
        """What a checkpoint records."""
        return {
            "corpora": [
                {
                    "weight": weight,
                    "movers": sampling.movers.value,
                    "positions_sampled": sampling.positions.value,
                    **{name: corpus.manifest[name] for name in ("games", "plies")},
                    **origin(corpus.manifest),
                }
                for corpus, weight, sampling in self._parts()
            ],
            "rated": any(corpus.ratings.any() for corpus in self.corpora),
            "strongest": strongest(list(zip(self.corpora, self.weights, strict=True))),
            "people": people_between(self.corpora),
        }

    def batches(
        self,
        split: Split,
        *,
        batch: int,
        history: int,
        seed: int,
        place: Array,
        workers: Workers,
        steps: Callable[[int], int],
        chunk: int = BLOCK,
        tell: Callable[[str], None] = lambda _: None,
    ) -> Lessons:
        """The first batches of a split: `steps` says how many, given how many make an epoch.

        A corpus without positions in that split is an error. Only in training may a batch hold more than all
        the positions there are; of the other parts of a single corpus each comes once, so that the last batch
        may be smaller.
        """
        streams = [
            workers.stream(Shuffle(draw, place, tell))
            for draw in (
                Draw(
                    path=corpus.path,
                    split=split,
                    sampling=sampling,
                    seed=seed,
                    # So that blocks last for as many batches.
                    block=math.ceil(chunk * weight / sum(self.weights)),
                )
                for corpus, weight, sampling in self._parts()
            )
        ]
        rows = rows_before_repeats(streams, self.weights)
        batch = batch if split is Split.train else min(batch, rows)
        whole = split is not Split.train and len(streams) == 1
        epoch = math.ceil(rows / batch) if whole else max(1, rows // batch)
        wanted = steps(epoch) if split is Split.train else min(steps(epoch), epoch)
        most = rows if whole else None
        batches = Batches(streams, self.weights, batch=batch, history=history, steps=wanted, most=most)
        sizes = [stream.epoch for stream in streams]
        passes = [taken / size for taken, size in zip(batches.before(wanted), sizes, strict=True)]
        return Lessons(batches, wanted, epoch, sum(sizes), tuple(passes))

    def having(self, split: Split) -> list[tuple[float, Mixture]]:
        """Each corpus that has positions in that split, by itself, and its share among these."""
        parts = [part for part in self._parts() if samples_any(part[0], split, part[2].movers)]
        every = sum(weight for _, weight, _ in parts)
        return [(weight / every, Mixture((corpus,), (1.0,), (how,))) for corpus, weight, how in parts]

    def _parts(self) -> Iterator[tuple[Corpus, float, Sampling]]:
        return zip(self.corpora, self.weights, self.samplings, strict=True)


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
