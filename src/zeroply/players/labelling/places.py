"""Which plies of a corpus are labelled, by a rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.hashes import mix
from zeroply.corpus.replay import replay_games
from zeroply.corpus.sample.choice import Every
from zeroply.corpus.sample.movers import Movers
from zeroply.corpus.sample.occurrences import occurrences, position_keys
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus

PLIES_AT_ONCE = 2**22
"""Of a corpus looked at together."""
GAMES_AT_ONCE = 4096
"""Of a corpus replayed together."""
PAST = 8
"""Moves before a position that are told with it, to the engine and to who learns from its answer: they show
what was played last, and whether the position was there before."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """Positions of a corpus, uniformly over the different ones."""

    split: Split | None = Split.train
    """None for all."""
    limit: int | None = None
    seed: int = 0
    stray: float = 0.0
    """Share of them that are taken one random legal move later: where somebody has erred."""
    repeated: bool = False
    """Only those that were there before within the moves that are told: where it matters what was played."""


def drawn(corpus: Corpus, rule: Rule, at_once: int) -> Iterator[NDArray[np.int64]]:
    """Places among the corpus's plies in random order, so many at a time: one for each position."""
    for order in [_repeated(corpus, rule)] if rule.repeated else _different(corpus, rule):
        for first in range(0, len(order), at_once):
            yield order[first : first + at_once]


def _different(corpus: Corpus, rule: Rule) -> Iterator[NDArray[np.int64]]:
    """One place for each different position, in random order: by a hash, one stretch of its values after the
    other, so that memory holds few."""
    counted = occurrences(corpus, Movers.both, np.empty(0))
    stretches = 1 + len(counted) // PLIES_AT_ONCE
    for stretch in range(stretches):
        found, hashes = [np.empty(0, np.int64)], [np.empty(0, np.uint64)]
        for first in range(0, len(counted), PLIES_AT_ONCE):
            turn, of = counted[first : first + PLIES_AT_ONCE].T
            places = first + np.flatnonzero((turn == 0) & (of > 0))
            if rule.split is not None:
                games = np.searchsorted(corpus.offsets, places, side="right") - 1
                places = places[corpus.splits[games] == rule.split]
            own = _by_chance(places, rule.seed)
            mine = (own >> np.uint64(32)) * np.uint64(stretches) >> np.uint64(32) == stretch
            found.append(places[mine])
            hashes.append(own[mine])
        yield np.concatenate(found)[np.argsort(np.concatenate(hashes))]


def _repeated(corpus: Corpus, rule: Rule) -> NDArray[np.int64]:
    """One place for each different position that was there before within the moves that are told, in random
    order."""
    found, keys = [np.empty(0, np.int64)], [np.empty(0, np.uint64)]
    every, wanted = Every(corpus, Movers.both), np.arange(len(corpus))
    if rule.split is not None:
        wanted = corpus.games_in(rule.split)
    for first in range(0, len(wanted), GAMES_AT_ONCE):
        games = wanted[first : first + GAMES_AT_ONCE]
        replayed = replay_games(corpus, games, np.empty(0))
        at = every.index(games, 0).at
        at = at[replayed.state["repeats"][at] > 0]
        own = position_keys(corpus.game, replayed.state)
        seen = np.zeros(len(at), np.bool_)
        for back in range(4, PAST + 1, 2):
            before = at - back
            seen |= (before >= replayed.first[at]) & (own[before] == own[at])
        found.append(corpus.plies_of(games)[at[seen]])
        keys.append(own[at[seen]])
    places, same = np.concatenate(found), np.concatenate(keys)
    order = np.argsort(_by_chance(places, rule.seed))
    return places[order[np.sort(np.unique(same[order], return_index=True)[1])]]


def _by_chance(places: NDArray[np.int64], seed: int) -> NDArray[np.uint64]:
    """[N] random numbers, each place's own."""
    return mix(places.astype(np.uint64) + mix(np.array([seed], np.uint64)))
