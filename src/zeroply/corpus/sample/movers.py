"""Whose moves are worth learning: for each game the plies that may be sampled at all."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.score import Kind, Split
from zeroply.corpus.store import Corpus, packed_bytes

AT_ONCE = 2**16
"""Games looked at together: of short ones a corpus has more than memory should hold."""


class Movers(Enum):
    """Of a puzzle only the solver's moves are ever sampled; of other games these."""

    both = "both"
    winner = "winner"
    """The side that won; both in a draw and where the result is unknown, which speaks against neither."""


@dataclass(frozen=True, kw_only=True)
class Plies:
    """For each of G games the plies first, first + step, …, `count` of them: all, even or odd ones, of those
    that did not only lead there."""

    first: NDArray[np.int64]
    step: NDArray[np.int64]
    count: NDArray[np.int64]


def sampled_plies(corpus: Corpus, games: NDArray[np.int64], movers: Movers) -> Plies:
    lengths = corpus.lengths_of(games)
    puzzle = corpus.kinds[games] == Kind.puzzle  # its first move is the opponent's
    even, odd = ~puzzle, np.ones(len(games), np.bool_)
    if movers is Movers.winner:
        mover, points = _first_mover(corpus, games), corpus.results[games]
        even &= points != 2 * mover
        odd &= points != 2 - 2 * mover
    past = corpus.past[games].astype(np.int64)
    step = np.where(even & odd, 1, 2)
    first = np.where(even, 0, 1)
    first += ((past - first).clip(min=0) + step - 1) // step * step
    count = (lengths - first + step - 1).clip(min=0) // step
    return Plies(first=first, step=step, count=count * (even | odd))


def _first_mover(corpus: Corpus, games: NDArray[np.int64]) -> NDArray[np.int64]:
    """[G] which side makes a game's first move."""
    starts = corpus.starts[games]
    own = np.flatnonzero(starts >= 0)
    mover = np.zeros(len(games), np.int64)
    turns = corpus.positions[:, packed_bytes(corpus.game)["turn"]]
    mover[own] = turns[starts[own], 0]
    return mover


def samples_any(corpus: Corpus, split: Split, movers: Movers) -> bool:
    """Whether a split has a position of the movers at all."""
    for first in range(0, len(corpus), AT_ONCE):
        games = first + np.flatnonzero(corpus.splits[first : first + AT_ONCE] == split)
        if sampled_plies(corpus, games, movers).count.any():
            return True
    return False
