"""A corpus written out for other programs. What is written appears whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from zeroply.corpus.exports import castle, csv, parquet, pgn
from zeroply.corpus.store import Corpus
from zeroply.errors import ZeroplyError

__all__ = ["FORMATS", "export"]

FORMATS: Mapping[str, Callable[[Corpus, Path], str]] = {
    "castle": castle.write,
    "parquet": parquet.write,
    "csv": csv.write,
    "pgn": pgn.write,
}
"""What writes a corpus to a path, and tells in one line what it wrote."""


def export(corpus: Corpus, out: Path, format: str) -> str:
    """Write the corpus to `out`, a folder for castle and else a file; returns one line about it for people.

    An earlier file is replaced; a folder that is there is refused.
    """
    if format not in FORMATS:
        raise ZeroplyError(f"unknown format '{format}'. Known: {', '.join(FORMATS)}")
    if out.is_dir():
        raise ZeroplyError(f"{out} exists and is a folder. Choose another name or remove it first")
    return FORMATS[format](corpus, out)
