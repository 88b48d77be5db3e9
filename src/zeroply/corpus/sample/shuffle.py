"""An endless shuffled stream of rows; row i is a pure function of the corpus, the seed and i.

The corpus is cut into runs of consecutive games, because single games scattered over a large file are slow
to read. An epoch shuffles the runs, cuts their chosen positions into blocks, replays a block where it is used
(on a GPU, say, if it is not small) and shuffles within it: memory holds one block, or two if the next is
made meanwhile.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.replay import past
from zeroply.corpus.sample.choice import EVERYTHING, Sampling, choose
from zeroply.corpus.sample.labelled import Labelled
from zeroply.corpus.sample.movers import samples_any
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.errors import ArtefactError
from zeroply.games.arrays import like, namespace
from zeroply.games.base import Array

BLOCK = 2**22
"""Positions replayed at a time: 137 bytes each in chess, 158 in xiangqi, twice that meanwhile."""
SMALL = 2**19
"""Positions up to which a block is replayed by NumPy wherever it is used: games go ply by ply, so that a GPU
takes about as long for a few as for many, and its orders hold up those of the net that learns meanwhile."""
RUNS = 128
"""Places of the corpus that a block comes from. Its runs are then 64 KB to read; a smaller block has shorter
ones, so that it is mixed as well, and a larger one comes from more places."""
PAGE = 2**12
"""Rows that are taken out of a block at a time, at least, where they are asked for one after the other: for
each of many small batches by itself a GPU gets so many orders that it waits for them."""
COUNTED = 2**16
"""Positions that are counted at a time."""


@dataclass(frozen=True, kw_only=True)
class Draw:
    """All that decides a stream of rows, in a form that another process can be told."""

    path: Path
    split: Split
    sampling: Sampling = EVERYTHING
    seed: int = 0
    block: int = BLOCK
    runs: int = RUNS

    @property
    def run(self) -> int:
        """Positions of a run."""
        return max(1, min(self.block, BLOCK) // self.runs)


@dataclass(frozen=True)
class Block:
    """Rows in shuffled order, and the moves of their games."""

    rows: dict[str, Array]
    """Columns [N, …], all but the past: it may be long, so it is made where it is asked for."""
    moves: Array
    """[P] of the games, end to end."""
    at: Array
    """[N] where each row stands among these."""
    since: Array
    """[N] where its past begins."""

    def __len__(self) -> int:
        return len(self.at)

    def take(self, first: int, last: int, history: int) -> dict[str, Array]:
        """Rows first … last - 1, copied: a view would keep the whole block in memory."""
        rows = {
            name: namespace(column).concatenate([column[first:last]]) for name, column in self.rows.items()
        }
        return {**rows, "past": past(self.moves, self.at[first:last], self.since[first:last], history)}

    def columns(self) -> list[Array]:
        """All that it is made of."""
        return [*self.rows.values(), self.moves, self.at, self.since]

    def to(self, place: Array) -> Block:
        """A block of NumPy arrays moved to where `place` lives."""
        rows = {name: like(column, place) for name, column in self.rows.items()}
        return Block(rows, like(self.moves, place), like(self.at, place), like(self.since, place))


Make = Callable[[range], Block]
"""Gives the first of some blocks, all of which may well be asked for next."""


class Shuffle:
    """Makes the blocks of a draw, numbered on through the epochs."""

    def __init__(self, draw: Draw, place: Array, tell: Callable[[str], None] = lambda _: None) -> None:
        """`tell` gets a line before work that takes long."""
        self.draw, self.place = draw, place
        self._corpus = Corpus.open(draw.path)
        begin = np.searchsorted(self._corpus.offsets[:-1], np.arange(0, len(self._corpus.moves), draw.run))
        self._bounds = np.concatenate([begin, [len(self._corpus)]])
        if not samples_any(self._corpus, draw.split, draw.sampling.movers):
            raise ArtefactError(
                f"{draw.path} has no positions to sample in its {draw.split.name} part "
                f"({len(self._corpus)} games in all). "
                "Build it from more games or with another share: --validation, --test"
            )
        self._choice = choose(self._corpus, draw.sampling, draw.seed, place, tell)
        self._order = lru_cache(maxsize=1)(self._ordered)
        self.positions = int(self._order(0)[1][-1])
        """Rows of an epoch."""
        replayed = int(self._per_run(self._corpus.lengths_of).sum())
        self._where = np.empty(0) if min(draw.block, replayed) <= SMALL else place
        self.size = max(1, draw.block * self.positions // replayed)
        """Rows of a block, the last of an epoch apart: as many as are chosen of `draw.block` positions."""
        self.blocks = -(-self.positions // self.size)
        """Blocks of an epoch."""

    def first(self, numbers: range) -> Block:
        """The first of some blocks, made now."""
        return self.block(numbers[0])

    def block(self, number: int) -> Block:
        epoch, within = divmod(number, self.blocks)
        runs, ends = self._order(epoch)
        low, high = within * self.size, min((within + 1) * self.size, self.positions)
        first, last = np.searchsorted(ends, [low, high - 1], side="right")
        begin = int(ends[first - 1]) if first else 0
        games = np.concatenate([self._games(run, run + 1) for run in runs[first : last + 1]])
        chosen = self._choice.index(games, epoch)
        order = np.random.default_rng([self.draw.seed, epoch, within]).permutation(high - low)
        at, since, taught, apart = (
            like(column[low - begin : high - begin][order], self._where)
            for column in (chosen.at, chosen.since, chosen.taught, chosen.apart)
        )
        labelled = Labelled.replay(self._corpus, games, self._where)
        rows = labelled.take(at, 0) | {"taught": taught, "apart": apart}
        del rows["past"]
        block = Block(rows, labelled.replayed.moves, at, since)
        return block if self._where is self.place else block.to(self.place)

    def _ordered(self, epoch: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """[runs] the runs as the epoch has them, and how many positions it has up to each one's end."""
        counts = self._per_run(lambda games: self._choice.counts(games, epoch))
        runs = np.random.default_rng([self.draw.seed, epoch]).permutation(len(counts))
        return runs, np.cumsum(counts[runs])

    def _games(self, first: int, last: int) -> NDArray[np.int64]:
        """Numbers of the split's games in the runs first … last - 1."""
        begin, end = self._bounds[first], self._bounds[last]
        found: NDArray[np.int64] = begin + np.flatnonzero(self._corpus.splits[begin:end] == self.draw.split)
        return found

    def _per_run(self, count: Callable[[NDArray[np.int64]], NDArray[np.int64]]) -> NDArray[np.int64]:
        """[runs] the sums of count(games), few games at a time."""
        runs = len(self._bounds) - 1
        sums, stride = np.zeros(runs, np.int64), max(1, COUNTED // self.draw.run)
        for first in range(0, runs, stride):
            last = min(first + stride, runs)
            games = self._games(first, last)
            run_of = np.searchsorted(self._bounds, games, side="right") - 1
            sums[first:last] = np.bincount(run_of - first, count(games), minlength=last - first)
        return sums


class Stream:
    """The rows of a draw one after the other, epoch after epoch; the block in use is held."""

    def __init__(self, shuffle: Shuffle, make: Make | None = None) -> None:
        self._shuffle = shuffle
        self._make = make or shuffle.first
        self._end = sys.maxsize
        self._held: tuple[int, Block] | None = None
        self._page: tuple[range, int, dict[str, Array]] = range(0), 0, {}
        """Rows that were taken out of a block together, and with how long a past."""

    @property
    def epoch(self) -> int:
        """Rows of an epoch."""
        return self._shuffle.positions

    def expect(self, rows: int) -> None:
        """No more than the first so many rows will be asked for."""
        self._end = self._number(rows - 1)[0] + 1

    def take(self, first: int, last: int, history: int) -> list[dict[str, Array]]:
        """Rows first … last - 1, in pieces: views of a page, so who changes a row changes it there."""
        pieces = []
        while first < last:
            rows, columns = self._page_from(first, last, history)
            end = min(last, rows.stop)
            pieces.append(
                {name: column[first - rows.start : end - rows.start] for name, column in columns.items()}
            )
            first = end
        return pieces

    def _page_from(self, first: int, last: int, history: int) -> tuple[range, dict[str, Array]]:
        """The page with row `first`. A new one begins there, up to `last` if its block goes on; or for longer
        where the one before ended there."""
        rows, with_history, columns = self._page
        if first not in rows or with_history != history:
            number, at = self._number(first)
            block = self._block(number)
            wanted = max(last - first, PAGE if first == rows.stop else 0)
            count = min(wanted, len(block) - at)
            rows, columns = range(first, first + count), block.take(at, at + count, history)
            self._page = rows, history, columns
        return rows, columns

    def _number(self, row: int) -> tuple[int, int]:
        """The block of a row, and its place there."""
        epoch, within = divmod(row, self._shuffle.positions)
        number, at = divmod(within, self._shuffle.size)
        return epoch * self._shuffle.blocks + number, at

    def _block(self, number: int) -> Block:
        if self._held is None or self._held[0] != number:
            self._held = None  # frees the old block before the new one takes its place
            self._held = number, self._make(range(number, max(self._end, number + 1)))
        return self._held[1]
