"""Readers turn a source into scores, one at a time; a bad game becomes a `Skipped` with its reason."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from zeroply.corpus.readers import arrays, pgn
from zeroply.corpus.readers.skipped import Skipped
from zeroply.corpus.score import Score
from zeroply.errors import ReadError
from zeroply.games import Game

__all__ = ["Skipped", "read"]


def read(source: Path, game: Game) -> Iterator[Score | Skipped]:
    """The games of one source, by the reader that its name asks for."""
    if not source.exists():
        raise ReadError(f"{source} does not exist")
    if source.is_dir():
        return arrays.read(source, game)
    if ".pgn" in source.suffixes:
        return pgn.read(source, game)
    raise ReadError(
        f"{source} has no known format. Readable: .pgn (also .gz .bz2 .xz), a folder with moves.npy"
    )
