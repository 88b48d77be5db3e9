"""Shuffled batches of rows. Batch k is a pure function of the seed and k, so a run goes on anywhere.

An epoch shuffles the games, cuts their positions into blocks, replays a block where it is used (on a GPU,
say) and shuffles within it: memory holds one block, and a block of a few million positions comes from so
many games that nothing is lost against one great shuffle.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.replay import Replayed, replay_games
from zeroply.corpus.score import UNKNOWN_RESULT, Split
from zeroply.corpus.store import Corpus
from zeroply.errors import ArtefactError
from zeroply.games.arrays import cast, int64, like, namespace
from zeroply.games.base import Array

BLOCK = 2**22
"""Positions replayed at a time: about 90 bytes each."""


class Part:
    """One split of a corpus, replayed piece by piece where `place` (any NumPy array or tensor) lives."""

    def __init__(self, corpus: Corpus, split: Split, place: Array) -> None:
        self.corpus, self.split, self.place = corpus, split, place
        self.games = corpus.games_in(split)
        self.lengths = np.diff(corpus.offsets)[self.games]
        self.positions = int(self.lengths.sum())
        if not self.positions:
            raise ArtefactError(
                f"{corpus.path} has no games in its {split.name} part ({len(corpus)} games in all). "
                "Build it from more games or with a larger share: --validation, --test"
            )

    def replay(self, games: NDArray[np.int64]) -> Labelled:
        """Some games, counted within this part."""
        numbers = self.games[games]
        return Labelled(self.corpus, numbers, replay_games(self.corpus, numbers, self.place))


class Labelled:
    """Replayed games with what is known of them: `move`, `outcome`, `rating` and `game` beside the state."""

    def __init__(self, corpus: Corpus, games: NDArray[np.int64], replayed: Replayed) -> None:
        self.replayed = replayed
        self._games = like(games, replayed.moves)
        self._results = like(corpus.results[games].astype(np.int8), replayed.moves)
        self._ratings = like(corpus.ratings[games].astype(np.int16), replayed.moves)

    def __len__(self) -> int:
        return len(self.replayed)

    def take(self, index: Array, history: int) -> dict[str, Array]:
        """Rows [B]; `outcome` 0 win, 1 draw, 2 loss for the mover, -1 unknown; his `rating`, 0 unknown."""
        rows = self.replayed.take(index, history)
        number = self.replayed.game[index]
        turn, result = rows["turn"], self._results[number]
        xp = namespace(turn)
        outcome = xp.where(turn == 0, 2 - result, result)
        rows["outcome"] = cast(xp.where(result == UNKNOWN_RESULT, 0 * result - 1, outcome), result)
        rows["rating"] = self._ratings[number, int64(turn)]
        rows["game"] = self._games[number]
        return rows


class Batches:
    """Shuffled training batches of `batch` rows with `history` past moves; every position once an epoch."""

    def __init__(self, part: Part, *, batch: int, history: int, seed: int, block: int = BLOCK) -> None:
        self._part, self._history, self._seed = part, history, seed
        self.batch = min(batch, part.positions)
        self.per_epoch = part.positions // self.batch
        self._per_block = max(1, block // self.batch)
        self._held: tuple[tuple[int, int], Labelled, Array] | None = None

    def __getitem__(self, k: int) -> dict[str, Array]:
        epoch, within = divmod(k, self.per_epoch)
        number, at = divmod(within, self._per_block)
        labelled, order = self._block(epoch, number)
        return labelled.take(order[at * self.batch : (at + 1) * self.batch], self._history)

    def _block(self, epoch: int, number: int) -> tuple[Labelled, Array]:
        """The games of a block, replayed, and a shuffled order of its positions."""
        if self._held is None or self._held[0] != (epoch, number):
            self._held = None  # frees the old block before the new one takes its place
            shuffled = np.random.default_rng([self._seed, epoch]).permutation(len(self._part.games))
            ends = np.cumsum(self._part.lengths[shuffled])
            low = number * self._per_block * self.batch
            high = min(low + self._per_block * self.batch, self._part.positions)
            first, last = np.searchsorted(ends, [low, high - 1], side="right")
            begin = int(ends[first] - self._part.lengths[shuffled[first]])
            labelled = self._part.replay(shuffled[first : last + 1])
            order = np.random.default_rng([self._seed, epoch, number]).permutation(high - low) + (low - begin)
            self._held = (epoch, number), labelled, like(order, self._part.place)
        return self._held[1:]
