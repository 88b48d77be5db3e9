"""Games to rows: all games replayed in step, by array operations that NumPy and torch share.

Shapes: P positions (one before each move), G games, H plies of history.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.store import Corpus, unpack_positions
from zeroply.games import Game
from zeroply.games.arrays import (
    arange,
    cast,
    empty,
    gather,
    int64,
    is_numpy,
    like,
    namespace,
    nonzero,
    repeat,
)
from zeroply.games.base import MOST_REPEATS, Array


@dataclass(frozen=True, kw_only=True)
class Replayed:
    """Every position of some games, and what followed it. Positions of a game lie together, in order."""

    state: dict[str, Array]
    """The game's columns, each [P, …]."""
    moves: Array
    """[P] int16, the move played in each position."""
    first: Array
    """[P] int64, where the game of this position begins."""
    game: Array
    """[P] int64, the game, counted among those replayed."""

    def __len__(self) -> int:
        return len(self.moves)

    def take(self, index: Array, history: int) -> dict[str, Array]:
        """Rows of the positions `index` [B]: state, `past` [B, H] oldest first with -1 for none, `move`."""
        rows = {name: gather(column, index) for name, column in self.state.items()}
        at = index[:, None] + (arange(history, index) - history)[None, :]
        before = at < self.first[index][:, None]
        past = self.moves[at.clip(0)]
        rows["past"] = namespace(past).where(before, 0 * past - 1, past)
        rows["move"] = self.moves[index]
        return rows


@dataclass(frozen=True, kw_only=True)
class Starts:
    """Games that begin with a position of their own: their numbers [k], and the columns of a state [k, …]."""

    games: NDArray[np.int64]
    state: Mapping[str, NDArray[Any]]


def replay(
    game: Game,
    moves: Array,
    lengths: NDArray[np.int64],
    starts: Starts | None = None,
) -> Replayed:
    """Replay G games of `lengths` plies, end to end in `moves` (int16, NumPy or torch on any device).

    `starts` tells of those games that do not begin with the usual first position.
    """
    order = np.argsort(-lengths, kind="stable")  # longest first, so that running games are always a prefix
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    running = np.searchsorted(-lengths[order], -np.arange(int(lengths.max(initial=0))), side="left")
    state = {name: repeat(like(column, moves), len(lengths)) for name, column in game.first_state().items()}
    if starts is not None:
        place = np.argsort(order)[starts.games]  # where the sort has put them
        for name, column in starts.state.items():
            state[name][like(place, moves)] = like(column, moves)

    stepper = game.steps(state)
    total = len(moves)
    rows = {name: empty(total, column) for name, column in state.items()}
    keys = empty(total, stepper.key)
    begin = like(offsets[:-1][order], moves)
    for ply, count in enumerate(running):
        stepper.keep(int(count))
        at = begin[: int(count)] + ply
        for name, column in stepper.state.items():
            rows[name][at] = column
        keys[at] = stepper.key
        stepper.step(int64(moves[at]))

    game_of = np.repeat(np.arange(len(lengths)), lengths)
    number, first = like(game_of, moves), like(offsets[:-1][game_of], moves)
    rows["repeats"] = cast(earlier(keys, number).clip(0, MOST_REPEATS), rows["repeats"])
    return Replayed(state=rows, moves=moves, first=first, game=number)


def earlier(keys: Array, group: Array) -> Array:
    """[P] how often keys[i] stands before i in the same group."""
    # The group is mixed into the key: one sort instead of two; with 64 bits a chance collision is negligible.
    mixed = keys ^ (group * -7046029254386353131)
    xp = namespace(keys)
    order = np.argsort(mixed, kind="stable") if is_numpy(keys) else mixed.sort(stable=True).indices
    ordered = mixed[order]
    place = arange(len(keys), keys)
    fresh = xp.ones_like(ordered, dtype=bool) if is_numpy(keys) else xp.ones_like(ordered, dtype=xp.bool)
    fresh[1:] = ordered[1:] != ordered[:-1]
    run = xp.cumsum(fresh, 0) - 1
    counts = xp.empty_like(place)
    counts[order] = place - nonzero(fresh)[run]
    return counts


def replay_games(corpus: Corpus, games: NDArray[np.int64], place: Array) -> Replayed:
    """Replay some games of a corpus where `place` (any NumPy array or tensor) lives."""
    first, last = corpus.offsets[games], corpus.offsets[games + 1]
    lengths = last - first
    index = np.repeat(first - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths) + np.arange(
        int(lengths.sum())
    )
    moves = like(corpus.moves[index].astype(np.int16), place)
    own = np.flatnonzero(corpus.starts[games] >= 0)
    if not len(own):
        return replay(corpus.game, moves, lengths)
    state = unpack_positions(corpus.game, corpus.positions[corpus.starts[games[own]]])
    return replay(corpus.game, moves, lengths, Starts(games=own, state=state))
