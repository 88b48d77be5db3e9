"""How often each position occurs in its part of a corpus: counted once, in bounded memory, and kept there.

Two positions are the same if the repetition rules say so: board, side to move, castling rights, en passant.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.artefacts import new_file
from zeroply.corpus.hashes import mix
from zeroply.corpus.npy import write_npy
from zeroply.corpus.replay import replay_games
from zeroply.corpus.sample.buckets import Buckets
from zeroply.corpus.sample.movers import Movers, sampled_plies
from zeroply.corpus.store import Corpus
from zeroply.errors import ArtefactError
from zeroply.games.base import Array, Game, Rows

CACHED = "occurrences-"
"""How files begin that hold them; a corpus is whole without."""
MOST = 2**16 - 1
"""Of a position that occurs more often, this many occurrences take part, so that two bytes do."""
AT_ONCE = 2**20
"""Positions replayed at a time."""
KEYS_AT_ONCE = 2**23
"""Keys compared in memory at a time, about; of more, one bucket after the other."""
MOST_BUCKETS = 256
"""Files that are open at a time, twice; of more than two thousand million positions buckets grow."""
KEYED = np.dtype([("key", np.uint64), ("place", np.int64)])
COUNTED = np.dtype([("place", np.int64), ("turn", np.uint16), ("of", np.uint16)])
UNCOUNTED = np.uint64(0)
"""Stands for the key of a position that is never sampled."""


def occurrences(
    corpus: Corpus, movers: Movers, place: Array, tell: Callable[[str], None] = lambda _: None
) -> NDArray[np.uint16]:
    """[plies, 2] each position's own number among its n occurrences in the same split, from 0, and n.

    Only positions of the movers count; others have n = 0. The array is read from the corpus's folder, or made
    and kept there, after `tell` has got a line about it. Its name tells for which games it was made.
    """
    path = corpus.path / f"{CACHED}{_fingerprint(corpus, movers)}.npy"
    if not path.exists():
        tell(f"counting the different positions of {corpus.path}, once: {path.name}")
        with new_file(path) as building:
            _count(_keys(corpus, movers, place), len(corpus.moves), building, corpus.path)
    return _read(path, len(corpus.moves))


def _read(path: Path, plies: int) -> NDArray[np.uint16]:
    try:
        array: NDArray[np.uint16] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise ArtefactError(f"{path} cannot be read: {error}. Remove it; it is then made anew") from None
    if array.shape != (plies, 2) or array.dtype != np.uint16:
        raise ArtefactError(f"{path} is damaged: it does not fit the corpus. Remove it; it is then made anew")
    return array


def _fingerprint(corpus: Corpus, movers: Movers) -> str:
    """Splits follow the games' hashes, so lengths, splits and results tell one collection from another."""
    found = hashlib.sha256(movers.value.encode())
    for name in ("offsets", "splits", "results", "kinds", *(["past"] if corpus.manifest.get("past") else [])):
        found.update(np.ascontiguousarray(corpus.array(name)).data)
    return found.hexdigest()[:12]


def _keys(corpus: Corpus, movers: Movers, place: Array) -> Iterator[NDArray[np.uint64]]:
    """For each position in turn 64 bits that are the same for the same position in the same split."""
    bounds = np.searchsorted(corpus.offsets[:-1], np.arange(0, len(corpus.moves), AT_ONCE))
    for first, last in zip(bounds, [*bounds[1:], len(corpus)], strict=True):
        games = np.arange(first, last)
        if not len(games):
            continue
        lengths, plies = corpus.lengths_of(games), sampled_plies(corpus, games, movers)
        keys = position_keys(corpus.game, replay_games(corpus, games, place).state)
        keys = mix(keys + np.repeat(corpus.splits[games], lengths).astype(np.uint64))
        ply = np.arange(len(keys)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        step = np.repeat(plies.step, lengths)
        since = ply - np.repeat(plies.first, lengths)
        counted = (since >= 0) & (since % step == 0) & np.repeat(plies.count > 0, lengths)
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


def _spread(blocks: Iterable[NDArray[np.uint64]], buckets: Buckets) -> None:
    """Each position that counts into the bucket of its key's high bits: equal ones into the same."""
    first = 0
    for keys in blocks:
        at = np.flatnonzero(keys != UNCOUNTED)
        records = np.empty(len(at), KEYED)
        records["key"], records["place"] = keys[at], first + at
        buckets.add((keys[at] >> np.uint64(32)) * np.uint64(len(buckets)) >> np.uint64(32), records)
        first += len(keys)


def _numbered(keys: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """[N] each key's number among those equal to it, and how many these are."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    begin = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(keys)])
    n = np.diff(np.concatenate([begin, [len(keys)]]))
    # The turns of a group begin at a random one; otherwise every first epoch would take the oldest games.
    turn = np.arange(len(keys)) - np.repeat(begin, n)
    turn = (turn + (ordered & np.uint64(2**31 - 1)).astype(np.int64)) % np.repeat(n, n)
    turns, of = np.empty_like(order), np.empty_like(order)
    turns[order], of[order] = turn, np.repeat(n, n)
    return turns, of


def _count(blocks: Iterable[NDArray[np.uint64]], total: int, path: Path, folder: Path) -> None:
    """Write [total, 2] to `path`. By key into buckets, each counted; by place into buckets, each laid out.

    So every record is written and read twice, in large pieces, however many there are.
    """
    many = min(MOST_BUCKETS, 1 + total // KEYS_AT_ONCE)
    span = -(-total // many)
    with Buckets(folder, many, KEYED) as keyed, Buckets(folder, many, COUNTED) as counted:
        _spread(blocks, keyed)
        for number in range(many):
            records = keyed.take(number)
            turn, of = _numbered(records["key"])
            found = np.empty(len(records), COUNTED)
            found["place"] = records["place"]
            found["turn"], found["of"] = turn.clip(max=MOST), of.clip(max=MOST)  # from MOST on: never
            counted.add(records["place"] // span, found)

        def laid_out() -> Iterator[NDArray[np.uint16]]:
            for number in range(many):
                pairs = np.zeros((max(0, min(span, total - number * span)), 2), np.uint16)
                records = counted.take(number)
                pairs[records["place"] - number * span] = np.stack([records["turn"], records["of"]], axis=1)
                yield pairs

        write_npy(path, np.uint16, (total, 2), laid_out())
