"""A shard: the games of one piece of a source, on disk, before duplicates and filters are looked at."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zeroply.artefacts import new_folder, read_json, write_json
from zeroply.corpus.hashes import game_hashes, position_hashes
from zeroply.corpus.npy import write_npy
from zeroply.corpus.score import Skipped
from zeroply.corpus.scores import Scores
from zeroply.corpus.store import pack_positions
from zeroply.corpus.tags import read_draft, tag_table, write_draft
from zeroply.games import Game

if TYPE_CHECKING:
    import pyarrow as pa

FACTS: dict[str, type[np.generic]] = {
    "results": np.uint8,
    "ratings": np.uint16,
    "years": np.uint16,
    "kinds": np.uint8,
    "starts": np.int32,
}
"""What is known of a game, by the names of a corpus's arrays; `starts` counts within the shard."""


@dataclass(frozen=True)
class Shard:
    """An opened shard; arrays are read when they are asked for."""

    path: Path

    def array(self, name: str) -> NDArray[Any]:
        array: NDArray[Any] = np.load(self.path / f"{name}.npy", allow_pickle=False)
        return array

    def has(self, name: str) -> bool:
        return (self.path / f"{name}.npy").exists()

    @cached_property
    def about(self) -> Mapping[str, Any]:
        return read_json(self.path / "about.json", "a shard")

    @property
    def games(self) -> int:
        return int(self.about["games"])

    @property
    def tag_names(self) -> list[str]:
        return list(self.about["tags"])

    @property
    def bad(self) -> int:
        """How many games were skipped."""
        return int(self.about["skipped"])

    def skipped(self) -> Iterator[Skipped]:
        """Numbered within the shard. There may be very many, so they are not kept."""
        with (self.path / "skipped.jsonl").open(encoding="utf-8") as lines:
            for number, reason in map(json.loads, lines):
                yield Skipped(self.about["source"], number, reason)

    def tags(self) -> pa.Table:
        return read_draft(self.path / "tags.arrow")


def write_shard(path: Path, scores: Scores, source: str, game: Game) -> None:
    """The folder appears whole or not at all."""
    positions, starts = _start_positions(scores, game)
    arrays: dict[str, NDArray[Any]] = {
        "moves": scores.moves,
        "lengths": scores.lengths,
        "results": scores.results,
        "ratings": scores.ratings,
        "years": scores.years,
        "kinds": scores.kinds,
        "starts": starts,
        "positions": positions,
        "hashes": _hashes(scores, positions, starts, game),
    }
    if scores.evaluations is not None:
        arrays["evaluations"] = scores.evaluations
    if scores.lines is not None:
        arrays["lines"] = scores.lines
    if scores.clocks is not None:
        arrays["clocks"] = scores.clocks
    if scores.past is not None:
        arrays["past"] = scores.past
    with _new_shard(path) as folder:
        for name, values in arrays.items():
            dtype = FACTS.get(name, values.dtype.type)
            write_npy(folder / f"{name}.npy", dtype, values.shape, [values])
        if scores.tags:
            write_draft(folder / "tags.arrow", tag_table(scores.tags))
        about = {
            "source": source,
            "games": len(scores),
            "tags": sorted(scores.tags),
            "skipped": len(scores.skipped),
        }
        with (folder / "skipped.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(f"{json.dumps([bad.number, bad.reason])}\n" for bad in scores.skipped)
        write_json(folder / "about.json", about)


@contextmanager
def _new_shard(path: Path) -> Iterator[Path]:
    try:
        with new_folder(path) as folder:
            yield folder
    except OSError:
        # A worker of a build that was killed may have finished the same shard at the last moment.
        if not (path / "about.json").exists():
            raise


def _start_positions(scores: Scores, game: Game) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Packed positions [k, bytes], and for each game its row among them or -1. The usual first position is
    none of them, however its FEN is written and whatever its clocks say."""
    usual, starts = pack_positions(game, game.first_state()), np.full(len(scores), -1)
    if not scores.starts:  # as in most sources: nothing is imported that would read FENs
        return usual[:0], starts
    packed, identity = pack_positions(game, game.rows(list(scores.starts.values()))), _identity(game)
    other = (packed[:, identity] != usual[:, identity]).any(axis=1)
    starts[np.array(list(scores.starts), np.int64)[other]] = np.arange(other.sum())
    return packed[other], starts


def _hashes(
    scores: Scores, positions: NDArray[np.uint8], starts: NDArray[np.int64], game: Game
) -> NDArray[np.uint64]:
    """[games] An evaluated position, a game of one move after those that led there, is the same whatever that
    move."""
    own, told = starts >= 0, np.zeros(len(scores), np.bool_)
    told[list(scores.starts)] = True  # the usual first position too, where its FEN was given
    salts = np.zeros(len(scores), np.uint64)
    salts[own] = position_hashes(positions[:, _identity(game)])
    ends, counted = np.cumsum(scores.lengths), scores.moves.copy()
    past = np.zeros(len(scores), np.uint16) if scores.past is None else scores.past
    counted[ends[(told | (past > 0)) & (scores.lengths - past == 1)] - 1] = 0
    return game_hashes(counted, np.concatenate([[0], ends]), salts)


def _identity(game: Game) -> NDArray[np.bool_]:
    """[bytes] which bytes of a packed position are not just counters: clocks and move numbers."""
    kept = [
        np.full(len(np.zeros(column.shape, column.dtype).tobytes()), not column.counts)
        for column in game.columns.values()
    ]
    return np.concatenate(kept)
