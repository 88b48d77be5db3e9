"""Rows of stored games with what is known of them: the labels that a net may learn or be told."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.replay import Replayed, replay_games
from zeroply.corpus.score import LINES, NO_EVALUATION, UNKNOWN_RESULT, Split
from zeroply.corpus.store import Corpus
from zeroply.errors import ArtefactError
from zeroply.games.arrays import cast, int64, like, namespace, repeat, take
from zeroply.games.base import Array


class Part:
    """One split of a corpus, replayed piece by piece where `place` (any NumPy array or tensor) lives."""

    def __init__(self, corpus: Corpus, split: Split, place: Array) -> None:
        self.corpus, self.split, self.place = corpus, split, place
        if not self.positions:
            raise ArtefactError(
                f"{corpus.path} has no games in its {split.name} part ({len(corpus)} games in all). "
                "Build it from more games or with a larger share: --validation, --test"
            )

    @cached_property
    def games(self) -> NDArray[np.int64]:
        return self.corpus.games_in(self.split)

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        return self.corpus.lengths_of(self.games)

    @cached_property
    def positions(self) -> int:
        return int(self.lengths.sum())

    def replay(self, games: NDArray[np.int64]) -> Labelled:
        """Some games, counted within this part."""
        return Labelled.replay(self.corpus, self.games[games], self.place)


class Labelled:
    """Replayed games with labels beside the state of each position."""

    def __init__(self, corpus: Corpus, games: NDArray[np.int64], replayed: Replayed) -> None:
        self.replayed = replayed
        place = replayed.moves
        self._games = like(games, place)
        self._results = like(corpus.results[games].astype(np.int8), place)
        self._ratings = like(corpus.ratings[games].astype(np.int16), place)
        self._kinds = like(corpus.kinds[games].astype(np.int8), place)
        self._evaluations = like(_evaluations(corpus, games), place)
        self._lines = like(_lines(corpus, games), place)
        self._ends = like(np.cumsum(corpus.lengths_of(games)), place)

    @classmethod
    def replay(cls, corpus: Corpus, games: NDArray[np.int64], place: Array) -> Labelled:
        return cls(corpus, games, replay_games(corpus, games, place))

    def __len__(self) -> int:
        return len(self.replayed)

    def take(self, index: Array, history: int) -> dict[str, Array]:
        """Rows [B] as `Replayed.take` gives them, and beside these

        outcome          int8   0 win, 1 draw, 2 loss for the mover, -1 unknown
        rating           int16  the mover's, 0 unknown
        opponent_rating  int16
        evaluation       int16  centipawns for the mover, NO_EVALUATION where there is none
        lines            int16  [B, LINES, 2] moves of an engine's best lines and their centipawns for the
                                mover, NO_EVALUATION for both where there are no more
        plies_left       int16  to the end of the game, this one included; -1 where no result is known: a
                                puzzle or an evaluated position is no game to its end
        kind             int8   who played: `Kind`
        game             int64  its number in the corpus
        """
        rows = self.replayed.take(index, history)
        number = take(self.replayed.game, index)
        turn, result = rows["turn"], take(self._results, number)
        xp = namespace(turn)
        outcome = xp.where(turn == 0, 2 - result, result)
        rows["outcome"] = cast(xp.where(result == UNKNOWN_RESULT, 0 * result - 1, outcome), result)
        rows["rating"] = self._ratings[number, int64(turn)]
        rows["opponent_rating"] = self._ratings[number, 1 - int64(turn)]
        rows["evaluation"] = take(self._evaluations, index)
        rows["lines"] = take(self._lines, index) if len(self._lines) else self._no_lines(len(index))
        left = take(self._ends, number) - index
        rows["plies_left"] = cast(xp.where(result == UNKNOWN_RESULT, 0 * left - 1, left), rows["move"])
        rows["kind"] = take(self._kinds, number)
        rows["game"] = take(self._games, number)
        return rows

    def _no_lines(self, count: int) -> Array:
        return repeat(like(np.full((1, LINES, 2), NO_EVALUATION, np.int16), self.replayed.moves), count)


def _lines(corpus: Corpus, games: NDArray[np.int64]) -> NDArray[np.int16]:
    """[P, LINES, 2], or nothing at all where the corpus has none."""
    if not corpus.has_lines:
        return np.empty((0, LINES, 2), np.int16)
    lines = np.asarray(corpus.lines[corpus.plies_of(games)])
    if lines[:, :, 0].max(initial=0) >= len(corpus.game.moves):
        raise corpus.damaged("lines.npy has moves that are not in the move table")
    return lines


def _evaluations(corpus: Corpus, games: NDArray[np.int64]) -> NDArray[np.int16]:
    if not corpus.has_evaluations:
        return np.full(int(corpus.lengths_of(games).sum()), NO_EVALUATION, np.int16)
    return np.asarray(corpus.evaluations[corpus.plies_of(games)])
