"""A corpus on disk: a folder of plain .npy arrays that NumPy alone reads, with a manifest.

moves.npy        uint16 [plies]     move numbers, all games end to end
offsets.npy      int64 [games + 1]  game i is moves[offsets[i]:offsets[i + 1]]
evaluations.npy  int16 [plies]      centipawns, mover's view; only where a source has some
lines.npy        int16 [plies, 5, 2] first moves of an engine's best lines and their centipawns, best first;
                                    -32768 where there are no more; only where a source has several
clocks.npy       uint32 [plies]     tenths of a second left after the move; only where a source has some
past.npy         uint16 [games]     first plies of a game that only led there and are not learnt; only where a
                                    source has such: an engine's answer in a position whose past is known
results.npy      uint8 [games]      first player's half points 0, 1, 2; 3 unknown
ratings.npy      uint16 [games, 2]  0 unknown
years.npy        uint16 [games]     0 unknown
kinds.npy        uint8 [games]      who played: `Kind`
splits.npy       uint8 [games]      `Split`
starts.npy       int32 [games]      -1 for the usual first position, else a row of positions.npy
positions.npy    uint8 [k, bytes]   start positions: the columns of a row, end to end
tags.parquet     all other tags, one row a game; only where a source has some
manifest.json    schema, game, move table, sources with hashes, counts
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zeroply.artefacts import read_json
from zeroply.corpus.flaws import flaws
from zeroply.corpus.score import Split
from zeroply.corpus.tags import read_tags
from zeroply.errors import ArtefactError, ReadError, ZeroplyError, needs
from zeroply.games import Game, Rows, game_named
from zeroply.games.stamp import check_stamp

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA = 1


def game_of(source: Path, asked: str | None) -> Game:
    """The game that a source is of: a corpus has its own, of anything else it is the one asked for, or chess
    where none is."""
    if not (source / "manifest.json").exists():
        return game_named(asked or "chess")
    own = Corpus.open(source).game
    if asked is not None and game_named(asked).name != own.name:
        raise ZeroplyError(
            f"the corpus {source} is of {own.name}, not {asked}. Leave out --game {asked}, or choose another"
        )
    return own


def _way_in(source: Path) -> str:
    """How a file becomes a corpus, or why it does not: to stand behind another sentence."""
    from zeroply.corpus.readers import reader_of  # all formats, which who opens a corpus does not need

    try:
        reader_of(source, game_named("chess"))  # which has all of them
    except ReadError as error:
        return f", nor can it become one: {error}"
    return f": zeroply data build OUT {source}"


@dataclass(frozen=True)
class Corpus:
    """An opened corpus; arrays stay on disk until they are touched."""

    path: Path
    manifest: dict[str, Any]
    game: Game

    @classmethod
    def open(cls, path: Path) -> Corpus:
        if path.is_file():
            raise ArtefactError(f"{path} is a file, not a corpus{_way_in(path)}")
        if not (path / "manifest.json").exists():
            why = "is not a corpus: it has no manifest.json" if path.exists() else "does not exist"
            raise ArtefactError(f"{path} {why}. Make one: zeroply data build OUT SOURCE")
        manifest = read_json(path / "manifest.json", "a corpus")
        if manifest.get("schema") != SCHEMA:
            raise ArtefactError(
                f"{path} has corpus schema {manifest.get('schema')}; this program reads {SCHEMA}. "
                "Build it again: zeroply data build"
            )
        game = game_named(str(manifest.get("game")))
        check_stamp(manifest, game, str(path))
        corpus = cls(path, manifest, game)
        if flaw := next(flaws(corpus), None):
            raise corpus.damaged(flaw)
        return corpus

    def damaged(self, flaw: str) -> ArtefactError:
        return ArtefactError(f"{self.path} is damaged: {flaw}. Build it again: zeroply data build")

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def array(self, name: str) -> NDArray[Any]:
        try:
            array: NDArray[Any] = np.load(self.path / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            # NumPy's own words for a broken file are about pickles, which no corpus has.
            reason = error.strerror if isinstance(error, OSError) else "it is no array or cut short"
            raise self.damaged(f"{name}.npy cannot be read, {reason}") from None
        return array

    def tags(self) -> pa.Table:
        """One row a game, one column a tag; no columns where no game has tags."""
        with self.reading_tags():
            tags = read_tags(self.path / "tags.parquet")
        if tags.num_columns and tags.num_rows != len(self):
            raise self.damaged("tags.parquet is of other games")
        return tags

    @contextmanager
    def reading_tags(self) -> Iterator[None]:
        """Around reading tags.parquet: what is wrong with it becomes one line."""
        with needs("data", "a corpus with tags"):
            from pyarrow import ArrowException

        try:
            yield
        except (ArrowException, OSError):
            raise self.damaged("tags.parquet cannot be read") from None

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        return np.asarray(self.array("offsets"))

    @cached_property
    def moves(self) -> NDArray[np.uint16]:
        return self.array("moves")

    @cached_property
    def results(self) -> NDArray[np.uint8]:
        return np.asarray(self.array("results"))

    @cached_property
    def ratings(self) -> NDArray[np.uint16]:
        return np.asarray(self.array("ratings"))

    @cached_property
    def years(self) -> NDArray[np.uint16]:
        return np.asarray(self.array("years"))

    @cached_property
    def kinds(self) -> NDArray[np.uint8]:
        return np.asarray(self.array("kinds"))

    @cached_property
    def splits(self) -> NDArray[np.uint8]:
        return np.asarray(self.array("splits"))

    @cached_property
    def starts(self) -> NDArray[np.int32]:
        return np.asarray(self.array("starts"))

    @cached_property
    def positions(self) -> NDArray[np.uint8]:
        return np.asarray(self.array("positions"))

    @property
    def has_evaluations(self) -> bool:
        """Only then there is an array of them; so with clocks."""
        return bool(self.manifest["evaluations"])

    @property
    def has_lines(self) -> bool:
        return bool(self.manifest.get("lines"))  # older corpora do not speak of lines

    @property
    def has_clocks(self) -> bool:
        return bool(self.manifest.get("clocks"))  # older corpora do not speak of clocks

    @cached_property
    def past(self) -> NDArray[np.uint16]:
        return np.asarray(self.array("past")) if self.manifest.get("past") else np.zeros(len(self), np.uint16)

    @cached_property
    def evaluations(self) -> NDArray[np.int16]:
        return self.array("evaluations")

    @cached_property
    def lines(self) -> NDArray[np.int16]:
        return self.array("lines")

    @cached_property
    def clocks(self) -> NDArray[np.uint32]:
        return self.array("clocks")

    def games_in(self, split: Split) -> NDArray[np.int64]:
        """Numbers of the games of one part."""
        return np.flatnonzero(self.splits == split)

    def lengths_of(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """[G] the plies of each game."""
        return self.offsets[games + 1] - self.offsets[games]

    def plies_of(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """[P] where the plies of some games, end to end, lie in the corpus."""
        lengths = self.lengths_of(games)
        begin = np.cumsum(lengths) - lengths
        return np.repeat(self.offsets[games] - begin, lengths) + np.arange(int(lengths.sum()))


def pack_positions(game: Game, rows: Rows) -> NDArray[np.uint8]:
    """Columns [k, …] -> [k, bytes], little-endian, column after column."""
    parts = []
    for name, column in game.columns.items():
        values = np.ascontiguousarray(rows[name], column.dtype.newbyteorder("<"))
        parts.append(values.reshape(len(values), math.prod(column.shape)).view(np.uint8))
    return np.concatenate(parts, axis=1)


def unpack_positions(game: Game, packed: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
    """[k, bytes] -> columns [k, …]."""
    state = {}
    for name, column in game.columns.items():
        raw = np.ascontiguousarray(packed[:, packed_bytes(game)[name]])
        state[name] = (
            raw.view(column.dtype.newbyteorder("<")).reshape(len(packed), *column.shape).astype(column.dtype)
        )
    return state


def packed_bytes(game: Game) -> dict[str, slice]:
    """Which bytes of a packed position are whose."""
    found, at = {}, 0
    for name, column in game.columns.items():
        width = column.dtype.itemsize * math.prod(column.shape)
        found[name] = slice(at, at + width)
        at += width
    return found
