"""Which positions an epoch samples. Every epoch samples as many, so that batch k is found without counting.

Shapes: G games, P positions of these games end to end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.hashes import mix
from zeroply.corpus.sample.movers import Movers, Plies, sampled_plies
from zeroply.corpus.sample.occurrences import MOST, occurrences
from zeroply.corpus.store import Corpus
from zeroply.games.base import Array

SUBSEQUENCES = 5
"""Random subsequences of a game, beside one from its start and one to its end (`subsequence_max`)."""


class Positions(Enum):
    """What a sampling is uniform over."""

    all = "all"
    unique = "unique"
    """Every different position once an epoch, with the move of one of its occurrences, each in its turn."""
    subsequences = "subsequences"
    """Of every game a stretch of moves from its start, one to its end and up to five random ones, each to
    learn its last move by, with the others as the past: the examples of seed 000."""
    windows = "windows"
    """Of every game few positions, which together teach each of its moves once, those of their past too: for
    nets that answer after every move of a sequence."""


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """What is sampled of a corpus."""

    movers: Movers = Movers.both
    positions: Positions = Positions.all
    window: int = 64
    """Of `windows`, 2 or more: a game's first position teaches up to twice so many moves, others up to so
    many. A history of twice as many less one then holds all that a position teaches, and of moves late in a
    game so many before them."""


EVERYTHING = Sampling()


@dataclass(frozen=True)
class Chosen:
    """N of the P positions."""

    at: NDArray[np.int64]
    """[N] which, ascending."""
    since: NDArray[np.int64]
    """[N] where the past of each begins: with its game, or later."""
    taught: NDArray[np.int16]
    """[N] how many moves each teaches: its own, and before it one in `apart` of its past."""
    apart: NDArray[np.int16]
    """[N] 1, or 2 where only one side's moves are taught."""

    @classmethod
    def alone(cls, at: NDArray[np.int64], since: NDArray[np.int64]) -> Chosen:
        """Positions of which each teaches its own move."""
        return cls(at, since, *np.ones((2, len(at)), np.int16))


class Choice(Protocol):
    """The positions of each epoch. A game's do not depend on which other games are asked for."""

    def counts(self, games: NDArray[np.int64], epoch: int) -> NDArray[np.int64]:
        """[G] how many positions of each game; summed over a split it is the same in every epoch."""
        ...

    def index(self, games: NDArray[np.int64], epoch: int) -> Chosen:
        """Which of the P positions of these games."""
        ...


def choose(
    corpus: Corpus,
    sampling: Sampling,
    seed: int,
    place: Array,
    tell: Callable[[str], None] = lambda _: None,
) -> Choice:
    """If the occurrences of positions have to be counted first, `tell` gets a line about it, and games are
    replayed where `place` lives."""
    if sampling.positions is Positions.unique:
        return Unique(corpus, occurrences(corpus, sampling.movers, place, tell), seed)
    if sampling.positions is Positions.subsequences:
        return Subsequences(corpus, sampling.movers, seed)
    if sampling.positions is Positions.windows:
        return Windows(corpus, sampling.movers, sampling.window)
    return Every(corpus, sampling.movers)


class Every:
    """All positions of the movers."""

    def __init__(self, corpus: Corpus, movers: Movers) -> None:
        self._corpus, self._movers = corpus, movers

    def counts(self, games: NDArray[np.int64], epoch: int) -> NDArray[np.int64]:
        return sampled_plies(self._corpus, games, self._movers).count

    def index(self, games: NDArray[np.int64], epoch: int) -> Chosen:
        plies = sampled_plies(self._corpus, games, self._movers)
        earlier = np.cumsum(plies.count) - plies.count
        number = np.arange(int(plies.count.sum())) - np.repeat(earlier, plies.count)
        begin = np.repeat(_begin(self._corpus, games), plies.count)
        first = begin + np.repeat(plies.first, plies.count)
        return Chosen.alone(first + np.repeat(plies.step, plies.count) * number, begin)


class Unique:
    """Of every n occurrences of a position one an epoch; in n epochs each has its turn."""

    def __init__(self, corpus: Corpus, occurrences: NDArray[np.uint16], seed: int) -> None:
        self._corpus, self._occurrences, self._seed = corpus, occurrences, seed

    def counts(self, games: NDArray[np.int64], epoch: int) -> NDArray[np.int64]:
        return np.bincount(self._taken(games, epoch)[1], minlength=len(games))

    def index(self, games: NDArray[np.int64], epoch: int) -> Chosen:
        at, owner = self._taken(games, epoch)
        return Chosen.alone(at, _begin(self._corpus, games)[owner])

    def _taken(self, games: NDArray[np.int64], epoch: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """[N] which positions, and of which of these games."""
        turn, of = self._occurrences[self._corpus.plies_of(games)].T
        at = np.flatnonzero(turn == self._turns(epoch)[of])
        return at, np.searchsorted(np.cumsum(self._corpus.lengths_of(games)), at, side="right")

    def _turns(self, epoch: int) -> NDArray[np.int64]:
        """[MOST + 1] whose turn it is among n occurrences; -1 for positions that are not sampled, n = 0."""
        n = np.arange(1, MOST + 1)
        shift = mix(n.astype(np.uint64) + (np.uint64(self._seed) << np.uint64(16))) >> np.uint64(1)
        return np.concatenate([[-1], (shift.astype(np.int64) % n + epoch) % n])


class Subsequences:
    """Of each game up to `most` + 2 stretches of moves, each to learn its last move by, with the others as
    the past. Their last moves are different ones of the movers: the last of all, which makes a stretch to the
    game's end, and random ones. One of these has its past from the game's beginning; the pasts of all others
    begin anywhere. Only before a game's first move is a past empty.
    """

    def __init__(self, corpus: Corpus, movers: Movers, seed: int, most: int = SUBSEQUENCES) -> None:
        self._corpus, self._movers, self._seed, self._most = corpus, movers, seed, most

    def counts(self, games: NDArray[np.int64], epoch: int) -> NDArray[np.int64]:
        return sampled_plies(self._corpus, games, self._movers).count.clip(max=self._most + 2)

    def index(self, games: NDArray[np.int64], epoch: int) -> Chosen:
        plies = sampled_plies(self._corpus, games, self._movers)
        count = plies.count.clip(max=self._most + 2)
        order = np.arange(self._most + 2)
        number = np.tile(order, (len(games), 1))
        long = np.flatnonzero(plies.count > self._most + 2)
        number[long, :-1] = self._drawn(games[long], plies.count[long] - 1, epoch)
        number[long, -1] = plies.count[long] - 1
        ply = plies.first[:, None] + plies.step[:, None] * number
        whole = self._random(games, epoch, 2 * self._most + 4, (count - 1).clip(min=1))
        since = np.stack(
            [
                np.where(
                    whole == column, 0, self._random(games, epoch, self._most + 2 + column, ply[:, column])
                )
                for column in range(self._most + 2)
            ],
            axis=1,
        )
        begin, there = _begin(self._corpus, games)[:, None], order < count[:, None]
        return Chosen.alone((begin + ply)[there], (begin + since)[there])

    def _drawn(self, games: NDArray[np.int64], count: NDArray[np.int64], epoch: int) -> NDArray[np.int64]:
        """[G, most + 1] different numbers below count[i], ascending: Floyd's sampling, in step for all."""
        picked = np.full((len(games), self._most + 1), -1)
        for number in range(self._most + 1):
            top = count - (self._most + 1) + number
            drawn = self._random(games, epoch, number, top + 1)
            taken = (picked == drawn[:, None]).any(axis=1)
            picked[:, number] = np.where(taken, top, drawn)
        return np.sort(picked, axis=1)

    def _random(
        self, games: NDArray[np.int64], epoch: int, number: int, below: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """[G] each game's own random number below below[i], or 0 where that is 0."""
        of_epoch = mix(np.array([(self._seed << 32) + epoch], np.uint64))
        random = mix(mix(games.astype(np.uint64) ^ of_epoch) + np.uint64(number)) >> np.uint64(32)
        return (random * below.astype(np.uint64) >> np.uint64(32)).astype(np.int64)


class Windows:
    """The movers' moves of each game cut into windows; the position before a window's last move teaches all
    of them. In plies the first window is twice as long as others: these have moves before them."""

    def __init__(self, corpus: Corpus, movers: Movers, window: int) -> None:
        self._corpus, self._movers, self._window = corpus, movers, window

    def counts(self, games: NDArray[np.int64], epoch: int) -> NDArray[np.int64]:
        plies = sampled_plies(self._corpus, games, self._movers)
        size = self._moves(plies)
        return np.where(plies.count > 0, (-(-plies.count // size) - 1).clip(min=1), 0)

    def index(self, games: NDArray[np.int64], epoch: int) -> Chosen:
        plies, windows = sampled_plies(self._corpus, games, self._movers), self.counts(games, epoch)
        number = np.arange(int(windows.sum())) - np.repeat(np.cumsum(windows) - windows, windows)

        def of(game: NDArray[np.int64]) -> NDArray[np.int64]:
            return np.repeat(game, windows)

        size, begin, step = of(self._moves(plies)), of(_begin(self._corpus, games)), of(plies.step)
        first = np.where(number > 0, number + 1, 0) * size
        last = np.minimum((number + 2) * size, of(plies.count))
        at = begin + of(plies.first) + step * (last - 1)
        return Chosen(at, begin, (last - first).astype(np.int16), step.astype(np.int16))

    def _moves(self, plies: Plies) -> NDArray[np.int64]:
        """[G] the moves of a window: fewer where every second one is left out."""
        return (self._window // plies.step).clip(min=1)


def _begin(corpus: Corpus, games: NDArray[np.int64]) -> NDArray[np.int64]:
    """[G] where each game begins among the P positions."""
    lengths = corpus.lengths_of(games)
    return np.cumsum(lengths) - lengths
