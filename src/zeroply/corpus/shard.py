"""A shard: the games of one batch of a source, on disk, before duplicates and filters are looked at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zeroply.artefacts import new_folder
from zeroply.corpus.hashes import game_hashes, position_hashes
from zeroply.corpus.npy import write_npy
from zeroply.corpus.readers.skipped import Skipped
from zeroply.corpus.score import NO_CLOCK, NO_EVALUATION, UNKNOWN_RESULT, Score
from zeroply.corpus.store import pack_position
from zeroply.corpus.tags import read_tags, tag_table, write_tags
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

    @cached_property
    def games(self) -> int:
        return len(self.array("lengths"))

    @cached_property
    def skipped(self) -> list[str]:
        return (self.path / "skipped.txt").read_text(encoding="utf-8").splitlines()

    def clocks(self) -> NDArray[np.uint32] | None:
        """None where no game tells its clocks."""
        return self.array("clocks") if (self.path / "clocks.npy").exists() else None

    def tags(self) -> pa.Table:
        return read_tags(self.path / "tags.parquet")


def write_shard(path: Path, items: Iterable[Score | Skipped], game: Game) -> Shard:
    """Write all items of a batch; the folder appears whole or not at all."""
    scores, skipped = [], []
    for item in items:
        if isinstance(item, Skipped):
            skipped.append(str(item))
        else:
            scores.append(item)
    moves = _joined([score.moves for score in scores], np.uint16)
    lengths = np.array([len(score.moves) for score in scores], np.int64)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    positions, starts = _start_positions(scores, game)
    salts = np.zeros(len(scores), np.uint64)
    salts[starts >= 0] = position_hashes(positions)
    evaluations = [
        score.evaluations if len(score.evaluations) else np.full(len(score.moves), NO_EVALUATION, np.int16)
        for score in scores
    ]
    arrays: dict[str, NDArray[Any]] = {
        "moves": moves,
        "lengths": lengths,
        "evaluations": _joined(evaluations, np.int16),
        "results": np.array([_half_points(score) for score in scores]),
        "ratings": np.array([score.ratings for score in scores]).reshape(-1, 2),
        "years": np.array([score.year for score in scores]),
        "kinds": np.array([score.kind for score in scores]),
        "starts": starts,
        "positions": positions,
        "hashes": game_hashes(moves, offsets, salts),
    }
    if any(len(score.clocks) for score in scores):
        clocks = [
            score.clocks if len(score.clocks) else np.full(len(score.moves), NO_CLOCK, np.uint32)
            for score in scores
        ]
        arrays["clocks"] = _joined(clocks, np.uint32)
    with new_folder(path) as folder:
        for name, values in arrays.items():
            dtype = FACTS.get(name, values.dtype.type)
            write_npy(folder / f"{name}.npy", dtype, values.shape, [values])
        write_tags(folder / "tags.parquet", tag_table([score.tags for score in scores]))
        (folder / "skipped.txt").write_text("".join(f"{line}\n" for line in skipped), encoding="utf-8")
    return Shard(path)


def _joined(parts: list[Any], dtype: type[np.generic]) -> NDArray[Any]:
    return np.concatenate([np.empty(0, dtype), *(np.asarray(part, dtype) for part in parts)])


def _half_points(score: Score) -> int:
    return UNKNOWN_RESULT if score.result is None else round(2 * score.result)


def _start_positions(scores: list[Score], game: Game) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Packed positions [k, bytes], and for each game its row among them or -1."""
    starts = np.full(len(scores), -1)
    own = [number for number, score in enumerate(scores) if score.start is not None]
    starts[own] = np.arange(len(own))
    packed = [pack_position(game, game.start(scores[number].start).row(0)) for number in own]
    width = len(pack_position(game, game.first_state()))
    return np.array(packed, np.uint8).reshape(-1, width), starts
