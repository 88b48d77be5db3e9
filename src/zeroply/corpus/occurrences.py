"""How often each position occurs in its part of a corpus: counted once, in bounded memory, and kept there.

Two positions are the same if the repetition rules say so: board, side to move, castling rights, en passant.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from zeroply.artefacts import new_file
from zeroply.corpus.hashes import mix
from zeroply.corpus.movers import Movers, sampled_plies
from zeroply.corpus.replay import replay_games
from zeroply.corpus.sample import lengths_of
from zeroply.corpus.store import Corpus
from zeroply.games.base import Array, Game, Rows

MOST = 2**16 - 1
"""Of a position that occurs more often, this many occurrences take part, so that two bytes do."""
AT_ONCE = 2**20
"""Positions replayed at a time."""
KEYS_AT_ONCE = 2**23
"""Keys compared in memory at a time; of more, a share in each round."""
UNCOUNTED = np.uint64(0)
"""Stands for the key of a position that is never sampled."""


def occurrences(corpus: Corpus, movers: Movers, place: Array) -> NDArray[np.uint16]:
    """[plies, 2] each position's own number among its n occurrences in the same split, from 0, and n.

    Only positions of the movers count; others have n = 0. The array is read from the corpus's folder, or made
    and kept there. Its name tells for which games it was made.
    """
    path = corpus.path / f"occurrences-{_fingerprint(corpus, movers)}.npy"
    if not path.exists():
        print(f"counting the different positions of {corpus.path}, once: {path.name}", file=sys.stderr)
        with new_file(path) as building, TemporaryFile(dir=corpus.path) as keys:
            for block in _keys(corpus, movers, place):
                keys.write(block.tobytes())
            _count(keys, len(corpus.moves), building)
    array: NDArray[np.uint16] = corpus.array(path.stem)
    return array


def _fingerprint(corpus: Corpus, movers: Movers) -> str:
    """Splits follow the games' hashes, so lengths, splits and results tell one collection from another."""
    found = hashlib.sha256(movers.value.encode())
    for name in ("offsets", "splits", "results", "kinds"):
        found.update(np.ascontiguousarray(corpus.array(name)).data)
    return found.hexdigest()[:12]


def _keys(corpus: Corpus, movers: Movers, place: Array) -> Iterator[NDArray[np.uint64]]:
    """For each position in turn 64 bits that are the same for the same position in the same split."""
    splits = corpus.array("splits")
    bounds = np.searchsorted(corpus.offsets[:-1], np.arange(0, len(corpus.moves), AT_ONCE))
    for first, last in zip(bounds, [*bounds[1:], len(corpus)], strict=True):
        games = np.arange(first, last)
        if not len(games):
            continue
        lengths, plies = lengths_of(corpus, games), sampled_plies(corpus, games, movers)
        keys = position_keys(corpus.game, replay_games(corpus, games, place).state)
        keys = mix(keys + np.repeat(splits[games], lengths).astype(np.uint64))
        ply = np.arange(len(keys)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        step = np.repeat(plies.step, lengths)
        counted = (ply % step == np.repeat(plies.first, lengths)) & np.repeat(plies.count > 0, lengths)
        yield np.where(counted, keys.clip(min=1), UNCOUNTED)


def position_keys(game: Game, rows: Rows) -> NDArray[np.uint64]:
    """[B] 64-bit hashes of what makes a position the same for the repetition rules."""
    columns = [_bytes(rows[name]) for name, column in game.columns.items() if not column.counts]
    width = sum(column.shape[1] for column in columns)
    padding = np.zeros((len(columns[0]), -width % 8), np.uint8)
    words = np.concatenate([*columns, padding], axis=1).view(np.uint64)
    key = np.zeros(len(words), np.uint64)
    for word in words.T:
        key = mix(key ^ word)
    return key


def _bytes(column: Array) -> NDArray[np.uint8]:
    values: NDArray[Any] = np.asarray(column.cpu() if hasattr(column, "cpu") else column)
    return np.ascontiguousarray(values).reshape(len(values), -1).view(np.uint8)


def _count(keys: IO[bytes], total: int, path: Path) -> None:
    """Write [total, 2] to `path`: equal keys fall into the same round, each round sorts its share of them."""
    found = npy.open_memmap(path, mode="w+", dtype=np.uint16, shape=(total, 2))
    rounds = 1 + total // KEYS_AT_ONCE
    for number in range(rounds):
        own, places = _share(keys, number, rounds)
        order = np.argsort(own, kind="stable")
        ordered = own[order]
        fresh = np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(own)]
        begin = np.flatnonzero(fresh)
        n = np.diff(np.concatenate([begin, [len(own)]]))
        # The turns of a group begin at a random one; otherwise every first epoch would take the oldest games.
        turn = np.arange(len(own)) - np.repeat(begin, n)
        turn = (turn + (ordered & np.uint64(2**31 - 1)).astype(np.int64)) % np.repeat(n, n)
        pairs = np.empty((len(own), 2), np.uint16)
        pairs[order, 0] = turn.clip(max=MOST)  # from MOST on: never
        pairs[order, 1] = np.repeat(n, n).clip(max=MOST)
        found[places] = pairs
    found.flush()


def _share(keys: IO[bytes], number: int, rounds: int) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The keys of one round, and where they stand."""
    keys.seek(0)
    own, places, first = [np.empty(0, np.uint64)], [np.empty(0, np.int64)], 0
    while data := keys.read(8 * AT_ONCE):
        block = np.frombuffer(data, np.uint64)
        round_of = (block >> np.uint64(32)) * np.uint64(rounds) >> np.uint64(32)
        at = np.flatnonzero((round_of == number) & (block != UNCOUNTED))
        own.append(block[at])
        places.append(first + at)
        first += len(block)
    return np.concatenate(own), np.concatenate(places)
