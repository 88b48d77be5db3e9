"""Positions of stored games on which a net is measured, and what it is asked there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.origin import held_back
from zeroply.corpus.sample.choice import Every
from zeroply.corpus.sample.labelled import Part
from zeroply.corpus.sample.movers import Movers
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.corpus.told import told
from zeroply.errors import ZeroplyError
from zeroply.games import Rows
from zeroply.players import NetPlayer
from zeroply.players.base import Network

BATCH = 256
"""Positions that a net is shown at a time: more are no faster on a CPU, and a thousand take two gigabytes."""
GAMES_AT_ONCE = 1000

Progress: TypeAlias = Callable[[Iterable[Rows], int], Iterable[Rows]]
"""Passes batches on and shows how many of so many positions are done."""


def silent(batches: Iterable[Rows], _: int) -> Iterable[Rows]:
    return batches


class Sample:
    """Whole games of one part of a corpus, drawn at random until there are `limit` positions; the last game
    is cut. All games without a limit, in random order too. Positions that are never learnt do not count: of
    moves that only led there, and of a puzzle's other side."""

    def __init__(
        self, corpus: Corpus, split: Split = Split.test, limit: int | None = None, seed: int = 0
    ) -> None:
        self.corpus, self._split, self.seed = corpus, split, seed
        self._part = Part(corpus, split, np.empty(0))
        self._choice = Every(corpus, Movers.both)
        self._order = np.random.default_rng(seed).permutation(len(self._part.games))
        self._ends = np.cumsum(self._choice.counts(self._part.games[self._order], 0))
        positions = int(self._ends[-1])
        self.n = min(limit or positions, positions)

    def batches(self, history: int) -> Iterator[dict[str, NDArray[Any]]]:
        """Rows with labels, the same ones every time."""
        wanted = int(np.searchsorted(self._ends, self.n)) + 1
        left = self.n
        for first in range(0, wanted, GAMES_AT_ONCE):
            games = self._order[first : min(first + GAMES_AT_ONCE, wanted)]
            labelled = self._part.replay(games)
            index = self._choice.index(self._part.games[games], 0).at[:left]
            for start in range(0, len(index), BATCH):
                yield labelled.take(index[start : start + BATCH], history)
            left -= len(index)

    def about(self, network: Network, games: NDArray[np.int64]) -> dict[str, Any]:
        """What every measure tells of its positions, whose games these are: how many, of which part, and
        whether all that the net learnt of the same files, or a net that it began with, held them back."""
        shares = self.corpus.manifest["shares"]
        needed = {Split.validation: shares["validation"], Split.test: sum(shares.values())}
        shares_held_back = held_back(network.about.get("training", {}), self.corpus.manifest["sources"])
        unseen = min(shares_held_back, default=1.0) >= needed.get(self._split, 1.0)
        counts = {"n": self.n, "games": len(np.unique(games))}
        return {**counts, "split": self._split.name, "unseen": unseen}


def answers(network: Network, rows: Rows, like: NetPlayer | None) -> dict[str, NDArray[np.float32]]:
    """What the net says when it is told what `like`, a player of it, is told, or who each mover really is
    where that is None."""
    return network({**rows, **({} if like is None else told(len(rows["move"]), **like.told))})


def move_weights(player: NetPlayer, rows: Rows) -> NDArray[np.float64]:
    """[B, M] by which a player that looks ahead ranks moves: the points after each legal one, of positions
    without the moves that led there; no other move has a chance."""
    game = player.network.game
    state = {name: rows[name] for name in game.columns}
    count = len(rows["move"])
    positions = [
        game.restore({name: column[at : at + 1] for name, column in state.items()}) for at in range(count)
    ]
    weights = np.full((count, len(game.moves)), -np.inf)
    for at, glance in enumerate(player.glance(positions)):
        weights[at, glance.moves] = glance.probabilities if glance.points is None else glance.points
    return weights


def check_game(network: Network, corpus: Corpus) -> None:
    """A net is measured on its own game."""
    if network.game.name != corpus.game.name:
        raise ZeroplyError(
            f"the model plays {network.game.name}; {corpus.path} holds {corpus.game.name}. "
            f"Give a corpus of {network.game.name}, or a model of {corpus.game.name}"
        )
