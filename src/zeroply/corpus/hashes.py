"""Hashes of games: what makes two records the same game, and which part of the data a game belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.score import Split

SHARES: Mapping[Split, float] = {Split.validation: 0.01, Split.test: 0.01}
"""Parts of the games that training never sees, unless others are asked for."""
AT_ONCE = 2**14
"""Moves mixed at a time, about: what fits into the processor's cache goes several times as fast."""


def game_hashes(
    moves: NDArray[Any], offsets: NDArray[np.int64], salts: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """[games] 64-bit hashes of the move lists; `salts` tells games from other start positions apart."""
    cuts = np.searchsorted(offsets, range(AT_ONCE, len(moves), AT_ONCE)).tolist()
    edges = pairwise([0, *cuts, len(salts)])
    return mix(np.concatenate([salts[:0], *(_sums(moves, offsets[a : b + 1]) for a, b in edges)]) + salts)


def _sums(moves: NDArray[Any], offsets: NDArray[np.int64]) -> NDArray[np.uint64]:
    """[games] over the moves of some games, each mixed with its ply."""
    within, lengths = offsets - offsets[0], np.diff(offsets)
    ply = np.arange(within[-1]) - np.repeat(within[:-1], lengths)
    own = moves[offsets[0] : offsets[-1]].astype(np.uint64)
    sums = np.zeros(len(own) + 1, np.uint64)
    np.cumsum(mix(own + (ply.astype(np.uint64) << np.uint64(16))), out=sums[1:])
    of_games: NDArray[np.uint64] = sums[within[1:]] - sums[within[:-1]]
    return of_games


def position_hashes(packed: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """[k] hashes of packed positions [k, bytes]."""
    place = np.arange(packed.shape[1], dtype=np.uint64) << np.uint64(8)
    # Mixed once more: a bare sum of bytes, added to the sum of moves, could be made up for by other moves.
    return mix(mix(packed.astype(np.uint64) + place).sum(axis=1, dtype=np.uint64))


def split_of(hashes: NDArray[np.uint64], shares: Mapping[Split, float] = SHARES) -> NDArray[np.uint8]:
    """[games] `Split` by hash: a game falls into the same part of every corpus with the same shares."""
    unit = hashes.astype(np.float64) / 2.0**64
    splits = np.full(len(hashes), Split.train, np.uint8)
    upper = 1.0
    for split in (Split.validation, Split.test):  # always in this order, whatever the mapping's
        share = shares.get(split, 0.0)
        splits[(unit >= upper - share) & (unit < upper)] = split
        upper -= share
    return splits


def mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of splitmix64: every input bit moves every output bit."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x ^= x >> np.uint64(30)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
