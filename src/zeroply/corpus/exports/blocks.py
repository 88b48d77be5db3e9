"""A corpus in blocks of games, so that an export of any size takes little memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.replay import Replayed, replay_games
from zeroply.corpus.score import NO_CLOCK, NO_EVALUATION
from zeroply.corpus.store import Corpus

GAMES = 4096
"""Games replayed at a time: some ten megabytes of rows."""


@dataclass(frozen=True)
class Block:
    """Some games and their P positions."""

    corpus: Corpus
    games: NDArray[np.int64]
    """[G] their numbers in the corpus, ascending."""
    rows: Replayed

    @cached_property
    def game(self) -> NDArray[np.int64]:
        """[P] the number of each position's game."""
        numbers: NDArray[np.int64] = self.games[self.rows.game]
        return numbers

    @cached_property
    def own(self) -> NDArray[np.bool_]:
        """[P] whether a position's move did not only lead to where the game begins to count."""
        own: NDArray[np.bool_] = np.arange(len(self.rows)) - self.rows.first >= self.corpus.past[self.game]
        return own

    @cached_property
    def names(self) -> list[str]:
        """[P] the moves as text."""
        names = self.corpus.game.moves.names
        return [names[move] for move in self.rows.moves.tolist()]

    @cached_property
    def evaluations(self) -> NDArray[np.int16]:
        """[P] centipawns, `NO_EVALUATION` for none."""
        if not self.corpus.has_evaluations:
            return np.full(len(self.rows), NO_EVALUATION, np.int16)
        return np.asarray(self.corpus.evaluations[self.corpus.plies_of(self.games)])

    @cached_property
    def clocks(self) -> NDArray[np.uint32]:
        """[P] tenths of a second left after the move, `NO_CLOCK` for none."""
        if not self.corpus.has_clocks:
            return np.full(len(self.rows), NO_CLOCK, np.uint32)
        return np.asarray(self.corpus.clocks[self.corpus.plies_of(self.games)])


def count_moves(corpus: Corpus, games: NDArray[np.int64]) -> str:
    """How many games of how many moves, for people."""
    return f"{len(games):,} games, {int(corpus.lengths_of(games).sum()):,} moves"


def count_own(corpus: Corpus, games: NDArray[np.int64]) -> str:
    """How many games of how many positions, without those that only led there."""
    positions = corpus.lengths_of(games) - corpus.past[games]
    return f"{len(games):,} games, {int(positions.sum()):,} positions"


def blocks(corpus: Corpus, games: NDArray[np.int64]) -> Iterator[Block]:
    """The games of these numbers, in order."""
    for at in range(0, len(games), GAMES):
        some = games[at : at + GAMES]
        yield Block(corpus, some, replay_games(corpus, some, np.empty(0)))
