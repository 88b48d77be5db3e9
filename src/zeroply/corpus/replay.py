"""Games to rows: all games replayed in step, by array operations that NumPy and torch share.

Shapes: P positions (one before each move), G games, H plies of history.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.store import Corpus, unpack_positions
from zeroply.games import Game
from zeroply.games.arrays import (
    arange,
    cast,
    empty,
    int64,
    like,
    namespace,
    nonzero,
    on_cpu,
    repeat,
    repeat_each,
    take,
    take_into,
)
from zeroply.games.base import MOST_REPEATS, Array

PIECE = 2**19
"""Positions at a time on a processor."""


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
        rows = {name: take(column, index) for name, column in self.state.items()}
        rows["past"] = past(self.moves, index, self.first[index], history)
        rows["move"] = self.moves[index]
        return rows


def past(moves: Array, index: Array, since: Array, history: int) -> Array:
    """[B, H] the moves before the positions `index` [B], oldest first, but none before `since` [B]: -1."""
    at = index[:, None] + (arange(history, index) - history)[None, :]
    found = moves[at.clip(0)]
    return namespace(found).where(at < since[:, None], 0 * found - 1, found)


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
    total = len(moves)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    rows = {name: empty(total, like(column, moves)) for name, column in game.first_state().items()}
    # A processor's caches want small pieces; a GPU, which waits at every step for its orders, as many games
    # at once as there are.
    cuts = np.arange(0, total, PIECE if on_cpu(moves) else max(total, 1))
    edges = np.unique([*np.searchsorted(offsets, cuts), len(lengths)])
    for low, high in pairwise(edges.tolist()):
        begin, end = int(offsets[low]), int(offsets[high])
        state = {name: repeat(like(column, moves), high - low) for name, column in game.first_state().items()}
        if starts is not None:
            own = (starts.games >= low) & (starts.games < high)
            for name, column in starts.state.items():
                state[name][like(starts.games[own] - low, moves)] = like(column[own], moves)
        piece = {name: column[begin:end] for name, column in rows.items()}
        replay_piece(game, moves[begin:end], lengths[low:high], state, piece)
    number = repeat_each(arange(len(lengths), moves), like(lengths, moves), total)
    return Replayed(state=rows, moves=moves, first=take(like(offsets, moves), number), game=number)


def replay_piece(
    game: Game,
    moves: Array,
    lengths: NDArray[np.int64],
    state: Mapping[str, Array],
    rows: Mapping[str, Array],
) -> None:
    """Replay games that begin with `state` [G, …] into `rows` [P, …]."""
    total = len(moves)
    order = np.argsort(-lengths, kind="stable")  # longest first, so that running games are always a prefix
    running = np.searchsorted(-lengths[order], -np.arange(int(lengths.max(initial=0))), side="left")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))

    # Steps write one ply of all games after the other; `place` finds the positions again, game by game.
    begins, offsets = (np.concatenate([[0], np.cumsum(counts)]) for counts in (running, lengths))
    number = repeat_each(arange(len(lengths), moves), like(lengths, moves), total)
    age = arange(total, moves) - take(like(offsets, moves), number)
    place = take(like(begins, moves), age) + take(like(rank, moves), number)
    played = empty(total, place)
    played[place] = int64(moves)

    stepper = game.steps({name: take(column, like(order, moves)) for name, column in state.items()})
    stepped = {name: empty(total, column) for name, column in state.items()}
    keys = empty(total, stepper.key)
    for begin, count in zip(begins.tolist(), running.tolist(), strict=False):
        stepper.keep(count)
        now = slice(begin, begin + count)
        for name, column in stepper.state.items():
            stepped[name][now] = column
        keys[now] = stepper.key
        stepper.step(played[now])

    stepper.settle(stepped, keys)
    for name in rows:
        take_into(rows[name], stepped.pop(name), place)
    window = namespace(age).minimum(age, int64(rows["halfmove"]))
    repeats = earlier(take(keys, place), window).clip(0, MOST_REPEATS)
    rows["repeats"][:] = cast(repeats, rows["repeats"])


def earlier(keys: Array, window: Array) -> Array:
    """[P] how often keys[i] stands among the window[i] before it. The same side must move, and nobody comes
    back in one move: so every second one from the fourth on is looked at."""
    counts = 0 * window
    at = nonzero(window >= 4)
    for back in range(4, int(window.max()) + 1 if len(window) else 0, 2):
        at = at[take(window, at) >= back]
        counts[at] += take(keys, at) == take(keys, at - back)
    return counts


def replay_games(corpus: Corpus, games: NDArray[np.int64], place: Array) -> Replayed:
    """Replay some games of a corpus where `place` (any NumPy array or tensor) lives."""
    lengths, found = corpus.lengths_of(games), corpus.moves[corpus.plies_of(games)]
    unknown = np.flatnonzero(found >= len(corpus.game.moves))
    if len(unknown):
        number = int(games[np.repeat(np.arange(len(games)), lengths)[unknown[0]]]) + 1
        raise corpus.damaged(f"game {number:,} has move {found[unknown[0]]}, which is not in the move table")
    moves = like(found.astype(np.int16), place)
    own = np.flatnonzero(corpus.starts[games] >= 0)
    if not len(own):
        return replay(corpus.game, moves, lengths)
    state = unpack_positions(corpus.game, corpus.positions[corpus.starts[games[own]]])
    return replay(corpus.game, moves, lengths, Starts(games=own, state=state))
