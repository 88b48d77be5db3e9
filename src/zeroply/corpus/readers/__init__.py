"""Readers turn a source into scores; a bad game becomes a `Skipped` with its reason."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from zeroply.corpus.readers import arrays, castle, engine, evals, pgn, puzzles
from zeroply.corpus.readers.base import Reader
from zeroply.corpus.readers.files import COMPRESSED
from zeroply.corpus.readers.tables import header
from zeroply.corpus.score import Score, Skipped
from zeroply.errors import ReadError, ZeroplyError
from zeroply.games import Game, all_games

TABLES = {engine.COLUMNS: engine.READER, evals.COLUMNS: evals.TABLE, puzzles.NEEDED: puzzles.READER}
"""Which columns of a CSV file ask for which reader."""

FIRST = 10
"""Games that tell which game a source is of."""

READABLE = (
    ".pgn, .jsonl of Lichess evaluations, .csv of puzzles, evaluations or engine games, castle's .txt files, "
    f"each also as {' '.join(COMPRESSED)}, and a folder with moves.npy or with castle's split files"
)


def reader_of(source: Path, game: Game) -> Reader:
    """The reader that a source's name or, for CSV, its header asks for, if it knows the game."""
    reader = _reader_by_name(source)
    if reader.only not in (None, game.name):
        raise ReadError(
            f"{source} is of a format that has only games of {reader.only}, not of {game.name}. "
            f"Read it with --game {reader.only}"
        )
    return reader


def _reader_by_name(source: Path) -> Reader:
    if not source.exists():
        raise ReadError(f"{source} does not exist. Check the path")
    if source.is_dir():
        return _reader_of_folder(source)
    suffixes = [suffix.lower() for suffix in source.suffixes]
    if ".pgn" in suffixes:
        return pgn.READER
    if ".jsonl" in suffixes:
        return evals.READER
    if ".csv" in suffixes:
        return _reader_of_table(source)
    if castle.is_named(source):
        return castle.READER
    raise ReadError(f"{source} has no known format. Readable: {READABLE}")


def _reader_of_folder(source: Path) -> Reader:
    if (source / "manifest.json").exists():
        raise ReadError(
            f"{source} is a corpus, no source. Give what it was built from, or write its games to a file: "
            f"zeroply data export {source} games.pgn --format pgn"
        )
    if castle.split_files(source):
        return castle.READER
    if (source / "moves.npy").exists():
        return arrays.READER
    raise ReadError(
        f"{source} holds neither moves.npy nor castle's split files. Give files: {source / '*.pgn'}"
    )


def _reader_of_table(source: Path) -> Reader:
    names = header(source)
    for columns, reader in TABLES.items():
        if set(columns) <= set(names):
            return reader
    known = "; ".join(", ".join(columns) for columns in TABLES)
    if not names:
        raise ReadError(f"{source} is empty, or its first line is. A readable table has one of: {known}")
    raise ReadError(f"{source} has the columns {', '.join(names)}. A readable table has one of: {known}")


def readable_as(source: Path, *, besides: Game) -> str:
    """A hint, to stand behind another sentence, where the first games of a source are of another game."""
    for game in all_games():
        with suppress(ZeroplyError):
            if game.name != besides.name and any(
                isinstance(found, Score) for found in islice(read(source, game), FIRST)
            ):
                return f" They are games of {game.name}: --game {game.name}."
    return ""


def read(source: Path, game: Game) -> Iterator[Score | Skipped]:
    """The games of a source, one by one."""
    return reader_of(source, game).read(source, game)
