"""A corpus written out for other programs. What is written appears whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.exports import castle, csv, parquet, pgn
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.errors import ZeroplyError

__all__ = ["FORMATS", "export"]

FORMATS: Mapping[str, Callable[[Corpus, NDArray[np.int64], Path], str]] = {
    "castle": castle.write,
    "parquet": parquet.write,
    "csv": csv.write,
    "pgn": pgn.write,
}
"""What writes games of a corpus, by their numbers, to a path, and tells in one line what it wrote."""
ALL = "all"


def export(corpus: Corpus, out: Path, format: str, split: str = ALL) -> str:
    """Write the corpus or one split of it to `out`, a folder for castle and else a file; returns one line for
    people about it.

    An earlier file is replaced; a folder that is there is refused.
    """
    if format not in FORMATS:
        raise ZeroplyError(f"unknown format '{format}'. Known: {', '.join(FORMATS)}")
    if out.is_dir():
        raise ZeroplyError(f"{out} exists and is a folder. Choose another name or remove it first")
    if split not in (ALL, *Split.__members__):
        raise ZeroplyError(f"unknown split '{split}'. Known: {', '.join(Split.__members__)}, {ALL}")
    games = np.arange(len(corpus)) if split == ALL else corpus.games_in(Split[split])
    if not len(games):
        raise ZeroplyError(f"{corpus.path} has no games in its {split} part. Build it with a larger share")
    return FORMATS[format](corpus, games, out)
