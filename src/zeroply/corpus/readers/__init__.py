"""Readers turn a source into scores, one at a time; a bad game becomes a `Skipped` with its reason."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from zeroply.corpus.readers import arrays, castle, engine, evals, pgn, puzzles
from zeroply.corpus.readers.files import COMPRESSED, open_text
from zeroply.corpus.readers.skipped import Skipped
from zeroply.corpus.score import Score
from zeroply.errors import ReadError
from zeroply.games import Game

__all__ = ["Skipped", "read"]

TABLES = {
    engine.read: engine.COLUMNS,
    evals.read: evals.COLUMNS,
    puzzles.read: puzzles.NEEDED,
}
"""Which columns of a CSV file ask for which reader."""

READABLE = (
    ".pgn, .jsonl of Lichess evaluations, .csv of puzzles, evaluations or engine games, castle's .txt files, "
    f"each also as {' '.join(COMPRESSED)}, and a folder with moves.npy or with castle's split files"
)


def read(source: Path, game: Game) -> Iterator[Score | Skipped]:
    """The games of one source, by the reader that its name or, for CSV, its header asks for."""
    if not source.exists():
        raise ReadError(f"{source} does not exist")
    if source.is_dir():
        return castle.read(source, game) if castle.split_files(source) else arrays.read(source, game)
    if ".pgn" in source.suffixes:
        return pgn.read(source, game)
    if ".jsonl" in source.suffixes:
        return evals.read(source, game)
    if ".csv" in source.suffixes:
        return _read_table(source, game)
    if castle.is_named(source):
        return castle.read(source, game)
    raise ReadError(f"{source} has no known format. Readable: {READABLE}")


def _read_table(source: Path, game: Game) -> Iterator[Score | Skipped]:
    with open_text(source) as lines:
        header = next(csv.reader(lines), [])
    for reader, columns in TABLES.items():
        if set(columns) <= set(header):
            return reader(source, game)
    known = "; ".join(", ".join(columns) for columns in TABLES.values())
    raise ReadError(f"{source} has the columns {', '.join(header)}. A readable table has one of: {known}")
