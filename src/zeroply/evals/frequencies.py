"""What one who only counts would play: two baselines from the training part of a corpus.

`frequency`  the moves of the side to move as often as it made them, whatever the position
`book`       the moves as often as they were made in this very position (board, side, rights, en passant), as
             an opening book has them; `frequency` counts as one more game there, and alone where none is

Both are over the whole move table, as a net's policy is: a move that was never made has a share too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.replay import replay_games
from zeroply.corpus.sample.occurrences import position_keys
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.games import Game, Rows

MOST = 4_000_000
"""Positions of the training part that are counted at most, in whole games drawn at random: a few seconds'
work. In a larger corpus a book of all games would know more."""
AT_ONCE = 2**18
"""Positions replayed at a time, about."""

Judged: TypeAlias = tuple[NDArray[np.floating[Any]], NDArray[np.int64]]
"""[B] the log-probabilities of moves, and their places among all, from 0."""


class Frequencies:
    def __init__(self, game: Game, wanted: NDArray[np.uint64]) -> None:
        """`wanted` are the keys of the positions that will be asked for: only they are counted."""
        self._game, self._wanted = game, np.unique(wanted)
        self._by_side = np.ones((2, len(game.moves)))  # each once beforehand, so that none is impossible
        self._found: list[NDArray[np.int64]] = []
        self.counted = 0

    @classmethod
    def count(cls, corpus: Corpus, batches: Iterable[Rows], seed: int) -> Self:
        """For the positions of `batches`, which are not of the training part."""
        own = cls(corpus.game, np.concatenate([position_keys(corpus.game, rows) for rows in batches]))
        games = np.random.default_rng(seed).permutation(corpus.games_in(Split.train))
        ends = np.cumsum(corpus.lengths_of(games))
        games = np.sort(games[: int(np.searchsorted(ends, MOST, side="right"))])
        cuts = np.searchsorted(
            np.cumsum(corpus.lengths_of(games)), np.arange(AT_ONCE, MOST + AT_ONCE, AT_ONCE)
        )
        for some in np.split(games, np.unique(cuts)):
            if len(some):
                replayed = replay_games(corpus, some, np.empty(0))
                own._add(replayed.state, replayed.moves.astype(np.int64))
        own._settle()
        return own

    def _add(self, rows: Rows, moves: NDArray[np.int64]) -> None:
        size = len(self._game.moves)
        cells = rows["turn"].astype(np.int64) * size + moves
        self._by_side += np.bincount(cells, minlength=2 * size).reshape(2, size)
        place, known = self._places(position_keys(self._game, rows))
        self._found.append(place[known] * size + moves[known])
        self.counted += len(moves)

    def _settle(self) -> None:
        """Sort what was found: pairs of a wanted position and a move, and how often each was."""
        self._pairs, self._counts = np.unique(
            np.concatenate([np.empty(0, np.int64), *self._found]), return_counts=True
        )
        self._shares = self._by_side / self._by_side.sum(1, keepdims=True)
        self._ranks = np.argsort(np.argsort(-self._shares, axis=1, kind="stable"), axis=1)
        self._begin = np.searchsorted(self._pairs, np.arange(len(self._wanted) + 1) * len(self._game.moves))
        self._found.clear()

    def _places(self, keys: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """[B] each key's place among those wanted, and whether it is one."""
        place = np.searchsorted(self._wanted, keys).clip(max=len(self._wanted) - 1)
        return place, self._wanted[place] == keys

    def judge(self, rows: Rows, move: NDArray[np.int64]) -> tuple[Judged, Judged, NDArray[np.bool_]]:
        """Of the played moves [B]: by frequency, by the book, and whether the book knows the position. The
        rows must be among those that were wanted. No share of other moves is worked out: this takes no longer
        than the book's own moves are many."""
        side, count = rows["turn"].astype(np.int64), len(move)
        share, rank = self._shares[side, move], self._ranks[side, move]
        place, _ = self._places(position_keys(self._game, rows))
        begin, many = self._begin[place], self._begin[place + 1] - self._begin[place]
        row = np.repeat(np.arange(count), many)
        at = np.arange(len(row)) - np.repeat(np.cumsum(many) - many, many) + np.repeat(begin, many)
        other, times = self._pairs[at] % len(self._game.moves), self._counts[at].astype(np.float64)

        def per_row(values: NDArray[Any]) -> NDArray[np.float64]:
            return np.bincount(row, values, count).astype(np.float64)

        played = per_row(times * (other == move[row]))
        weight, own = times + self._shares[side[row], other], played + share
        ahead = per_row((weight > own[row]) | ((weight == own[row]) & (other < move[row])))
        # A move that the book lacks is behind all that it has, and there as far back as its frequency says.
        also = rank - per_row(self._ranks[side[row], other] < rank[row])
        book = np.log(own / (1 + per_row(times))), np.where(played > 0, ahead, ahead + also).astype(np.int64)
        return (np.log(share), rank), book, many > 0
