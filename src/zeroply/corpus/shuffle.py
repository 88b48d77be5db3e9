"""An endless shuffled stream of rows; row i is a pure function of the corpus, the seed and i.

The corpus is cut into runs of consecutive games, because single games scattered over a large file are slow
to read. An epoch shuffles the runs, cuts their chosen positions into blocks, replays a block where it is used
(on a GPU, say) and shuffles within it: memory holds one block.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.choice import EVERYTHING, Sampling, choose
from zeroply.corpus.movers import sampled_plies
from zeroply.corpus.replay import Replayed
from zeroply.corpus.sample import Labelled, lengths_of
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.errors import ArtefactError
from zeroply.games.arrays import like, namespace
from zeroply.games.base import Array

BLOCK = 2**22
"""Positions replayed at a time: about 120 bytes each, twice as much while it is made."""
RUN = 2**15
"""Positions of a run: 64 KB to read, and a block still comes from 128 places of the corpus."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """All that decides a stream of rows, in a form that another process can be told."""

    path: Path
    split: Split
    sampling: Sampling = EVERYTHING
    seed: int = 0
    block: int = BLOCK
    run: int = RUN


@dataclass(frozen=True)
class Block:
    """Rows in shuffled order, and the moves of their games."""

    rows: dict[str, Array]
    """Columns [N, …], all but the past: it may be long, so it is made where it is asked for."""
    at: Array
    """[N] where each row stands in the games."""
    games: Replayed
    """Without their state."""

    def take(self, first: int, last: int, history: int) -> dict[str, Array]:
        """Rows first … last - 1, copied: a view would keep the whole block in memory."""
        rows = {
            name: namespace(column).concatenate([column[first:last]]) for name, column in self.rows.items()
        }
        return {**rows, "past": self.games.take(self.at[first:last], history)["past"]}

    def to(self, place: Array) -> Block:
        """A block of NumPy arrays moved to where `place` lives."""
        games = replace(
            self.games,
            moves=like(self.games.moves, place),
            first=like(self.games.first, place),
            game=like(self.games.game, place),
        )
        rows = {name: like(column, place) for name, column in self.rows.items()}
        return Block(rows, like(self.at, place), games)


class Shuffle:
    """Makes the blocks of a source, numbered on through the epochs."""

    def __init__(self, source: Source, place: Array) -> None:
        self._corpus, self._source, self._place = Corpus.open(source.path), source, place
        self._splits = self._corpus.array("splits")
        plies = len(self._corpus.moves)
        begin = np.searchsorted(self._corpus.offsets[:-1], np.arange(0, plies, source.run))
        self._bounds = np.concatenate([begin, [len(self._corpus)]])
        if not sampled_positions(self._corpus, source.split, source.sampling):
            raise ArtefactError(
                f"{source.path} has no positions to sample in its {source.split.name} part "
                f"({len(self._corpus)} games in all). "
                "Build it from more games or with another share: --validation, --test"
            )
        self._choice = choose(self._corpus, source.sampling, source.seed, place)
        self._epoch, self._counts = 0, self._counted(0)
        self.positions = int(self._counts.sum())
        """Rows of an epoch."""
        replayed = int(self._per_run(lambda games: lengths_of(self._corpus, games)).sum())
        self.size = max(1, source.block * self.positions // replayed)
        """Rows of a block, the last of an epoch apart: as many as are chosen of `source.block` positions."""
        self.blocks = -(-self.positions // self.size)
        """Blocks of an epoch."""

    def block(self, number: int) -> Block:
        epoch, within = divmod(number, self.blocks)
        if epoch != self._epoch:
            self._epoch, self._counts = epoch, self._counted(epoch)
        seed = self._source.seed
        runs = np.random.default_rng([seed, epoch]).permutation(len(self._counts))
        ends = np.cumsum(self._counts[runs])
        low, high = within * self.size, min((within + 1) * self.size, self.positions)
        first, last = np.searchsorted(ends, [low, high - 1], side="right")
        begin = int(ends[first] - self._counts[runs[first]])
        games = np.concatenate([self._games(run, run + 1) for run in runs[first : last + 1]])
        chosen = self._choice.index(games, epoch)[low - begin : high - begin]
        order = like(np.random.default_rng([seed, epoch, within]).permutation(chosen), self._place)
        labelled = Labelled.replay(self._corpus, games, self._place)
        rows = labelled.take(order, 0)
        del rows["past"]
        return Block(rows, order, replace(labelled.replayed, state={}))

    def _games(self, first: int, last: int) -> NDArray[np.int64]:
        """Numbers of the split's games in the runs first … last - 1."""
        begin, end = self._bounds[first], self._bounds[last]
        found: NDArray[np.int64] = begin + np.flatnonzero(self._splits[begin:end] == self._source.split)
        return found

    def _counted(self, epoch: int) -> NDArray[np.int64]:
        """[runs] how many positions of each run the epoch chooses."""
        return self._per_run(lambda games: self._choice.counts(games, epoch))

    def _per_run(self, count: Callable[[NDArray[np.int64]], NDArray[np.int64]]) -> NDArray[np.int64]:
        """[runs] the sums of count(games); so many games at a time as a block has."""
        runs = len(self._bounds) - 1
        sums, stride = np.zeros(runs, np.int64), max(1, self._source.block // self._source.run)
        for first in range(0, runs, stride):
            last = min(first + stride, runs)
            games = self._games(first, last)
            run_of = np.searchsorted(self._bounds, games, side="right") - 1
            sums[first:last] = np.bincount(run_of - first, count(games), minlength=last - first)
        return sums


def sampled_positions(corpus: Corpus, split: Split, sampling: Sampling) -> int:
    """How many positions of a split belong to the movers that are sampled."""
    return int(sampled_plies(corpus, corpus.games_in(split), sampling.movers).count.sum())


class Stream:
    """The rows of a source one after the other, epoch after epoch; the block in use is held."""

    def __init__(self, shuffle: Shuffle, make: Callable[[int], Block] | None = None) -> None:
        self._shuffle, self._make = shuffle, make or shuffle.block
        self._held: tuple[int, Block] | None = None

    @property
    def epoch(self) -> int:
        """Rows of an epoch."""
        return self._shuffle.positions

    def take(self, first: int, last: int, history: int) -> list[dict[str, Array]]:
        """Rows first … last - 1, in as many pieces as blocks they come from."""
        pieces = []
        while first < last:
            epoch, within = divmod(first, self._shuffle.positions)
            number, at = divmod(within, self._shuffle.size)
            block = self._block(epoch * self._shuffle.blocks + number)
            count = min(last - first, len(block.at) - at)
            pieces.append(block.take(at, at + count, history))
            first += count
        return pieces

    def _block(self, number: int) -> Block:
        if self._held is None or self._held[0] != number:
            self._held = None  # frees the old block before the new one takes its place
            self._held = number, self._make(number)
        return self._held[1]
