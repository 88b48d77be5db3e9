"""Which positions an epoch samples. Every epoch samples as many, so that batch k is found without counting.

Shapes: G games, P positions of these games end to end.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.hashes import mix
from zeroply.corpus.movers import Movers, sampled_plies
from zeroply.corpus.occurrences import MOST, occurrences
from zeroply.corpus.sample import lengths_of, plies_of
from zeroply.corpus.store import Corpus
from zeroply.games.base import Array

SUBSEQUENCES = 5
"""Random subsequences of a game, beside its start and its end (seed 000's `subsequence_max`)."""


class Positions(Enum):
    """What a sampling is uniform over."""

    all = "all"
    unique = "unique"
    """Every different position once an epoch, with the move of one of its occurrences, each in its turn."""
    subsequences = "subsequences"
    """Of every game the first position, the last and up to five random ones between, each with the moves that
    led to it: the examples of seed 000."""


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """What is sampled of a corpus."""

    movers: Movers = Movers.both
    positions: Positions = Positions.all


EVERYTHING = Sampling()


class Choice(Protocol):
    """The positions of each epoch. A game's do not depend on which other games are asked for."""

    def counts(self, games: NDArray[np.int64], epoch: int) -> NDArray[np.int64]:
        """[G] how many positions of each game; summed over a split it is the same in every epoch."""
        ...

    def index(self, games: NDArray[np.int64], epoch: int) -> NDArray[np.int64]:
        """Which of the P positions of these games, ascending."""
        ...


def choose(corpus: Corpus, sampling: Sampling, seed: int, place: Array) -> Choice:
    """`place` is where games are replayed if the occurrences of positions have to be counted first."""
    if sampling.positions is Positions.unique:
        return Unique(corpus, occurrences(corpus, sampling.movers, place), seed)
    if sampling.positions is Positions.subsequences:
        return Subsequences(corpus, sampling.movers, seed)
    return Every(corpus, sampling.movers)


class Every:
    """All positions of the movers."""

    def __init__(self, corpus: Corpus, movers: Movers) -> None:
        self._corpus, self._movers = corpus, movers

    def counts(self, games: NDArray[np.int64], epoch: int) -> NDArray[np.int64]:
        return sampled_plies(self._corpus, games, self._movers).count

    def index(self, games: NDArray[np.int64], epoch: int) -> NDArray[np.int64]:
        plies = sampled_plies(self._corpus, games, self._movers)
        begin = _begin(self._corpus, games) + plies.first
        earlier = np.cumsum(plies.count) - plies.count
        number = np.arange(int(plies.count.sum())) - np.repeat(earlier, plies.count)
        chosen: NDArray[np.int64] = (
            np.repeat(begin, plies.count) + np.repeat(plies.step, plies.count) * number
        )
        return chosen


class Unique:
    """Of every n occurrences of a position one an epoch; in n epochs each has its turn."""

    def __init__(self, corpus: Corpus, occurrences: NDArray[np.uint16], seed: int) -> None:
        self._corpus, self._occurrences, self._seed = corpus, occurrences, seed

    def counts(self, games: NDArray[np.int64], epoch: int) -> NDArray[np.int64]:
        ends = np.cumsum(lengths_of(self._corpus, games))
        owner = np.searchsorted(ends, self.index(games, epoch), side="right")
        return np.bincount(owner, minlength=len(games))

    def index(self, games: NDArray[np.int64], epoch: int) -> NDArray[np.int64]:
        turn, of = self._occurrences[plies_of(self._corpus, games)].T
        return np.flatnonzero(turn == self._turns(epoch)[of])

    def _turns(self, epoch: int) -> NDArray[np.int64]:
        """[MOST + 1] whose turn it is among n occurrences; -1 for positions that are not sampled, n = 0."""
        n = np.arange(1, MOST + 1)
        shift = mix(n.astype(np.uint64) + (np.uint64(self._seed) << np.uint64(16))) >> np.uint64(1)
        return np.concatenate([[-1], (shift.astype(np.int64) % n + epoch) % n])


class Subsequences:
    """Of each game the first and the last of the movers' positions and up to `most` random ones between."""

    def __init__(self, corpus: Corpus, movers: Movers, seed: int, most: int = SUBSEQUENCES) -> None:
        self._corpus, self._movers, self._seed, self._most = corpus, movers, seed, most

    def counts(self, games: NDArray[np.int64], epoch: int) -> NDArray[np.int64]:
        return sampled_plies(self._corpus, games, self._movers).count.clip(max=self._most + 2)

    def index(self, games: NDArray[np.int64], epoch: int) -> NDArray[np.int64]:
        plies = sampled_plies(self._corpus, games, self._movers)
        order = np.arange(self._most + 2)
        chosen = np.tile(order, (len(games), 1))
        long = np.flatnonzero(plies.count > self._most + 2)
        chosen[long, 1:-1] = 1 + self._between(games[long], plies.count[long] - 2, epoch)
        chosen[long, -1] = plies.count[long] - 1
        at = (_begin(self._corpus, games) + plies.first)[:, None] + plies.step[:, None] * chosen
        return at[order < plies.count[:, None]]

    def _between(self, games: NDArray[np.int64], count: NDArray[np.int64], epoch: int) -> NDArray[np.int64]:
        """[G, most] different numbers below count[i], ascending: Floyd's sampling, in step for all games."""
        picked = np.full((len(games), self._most), -1)
        of_epoch = mix(np.array([(self._seed << 32) + epoch], np.uint64))
        for number in range(self._most):
            top = count - self._most + number
            random = mix(mix(games.astype(np.uint64) ^ of_epoch) + np.uint64(number)) >> np.uint64(32)
            drawn = (random * (top + 1).astype(np.uint64) >> np.uint64(32)).astype(np.int64)
            taken = (picked == drawn[:, None]).any(axis=1)
            picked[:, number] = np.where(taken, top, drawn)
        return np.sort(picked, axis=1)


def _begin(corpus: Corpus, games: NDArray[np.int64]) -> NDArray[np.int64]:
    """[G] where each game begins among the P positions."""
    lengths = lengths_of(corpus, games)
    return np.cumsum(lengths) - lengths
