"""What is wrong with a corpus: arrays other than its manifest tells, numbers out of bounds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from zeroply.corpus.score import LINES, UNKNOWN_RESULT, Kind, Split

if TYPE_CHECKING:
    from zeroply.corpus.store import Corpus

TOLD = {"games": int, "plies": int, "positions": int, "splits": dict, "shares": dict, "sources": list}
"""What every manifest tells."""
OPTIONAL = ("evaluations", "lines", "clocks", "past")
"""Arrays that a corpus has where its sources tell of such."""


def flaws(corpus: Corpus) -> Iterator[str]:
    """What is wrong with a corpus, as far as that shows without looking at every move."""
    told, path = corpus.manifest, corpus.path
    for name, kind in TOLD.items():
        if not isinstance(told.get(name), kind):
            yield f"its manifest does not tell its {name}"
    games, plies = told["games"], told["plies"]
    width = sum(column.dtype.itemsize * math.prod(column.shape) for column in corpus.game.columns.values())
    expected: dict[str, tuple[type[np.generic], tuple[int, ...]]] = {
        "moves": (np.uint16, (plies,)),
        "offsets": (np.int64, (games + 1,)),
        "results": (np.uint8, (games,)),
        "ratings": (np.uint16, (games, 2)),
        "years": (np.uint16, (games,)),
        "kinds": (np.uint8, (games,)),
        "splits": (np.uint8, (games,)),
        "starts": (np.int32, (games,)),
        "positions": (np.uint8, (told["positions"], width)),
        "evaluations": (np.int16, (plies,)),
        "lines": (np.int16, (plies, LINES, 2)),
        "clocks": (np.uint32, (plies,)),
        "past": (np.uint16, (games,)),
    }
    for name, (dtype, shape) in expected.items():
        if name in OPTIONAL and not told.get(name) and not (path / f"{name}.npy").exists():
            continue
        array = corpus.array(name)
        if array.dtype != dtype or array.shape != shape:
            yield (
                f"{name}.npy holds {array.dtype} {list(array.shape)} where its manifest has "
                f"{np.dtype(dtype)} {list(shape)}"
            )
    if corpus.offsets[0] != 0 or corpus.offsets[-1] != plies or (np.diff(corpus.offsets) < 0).any():
        yield "offsets.npy does not count from 0 up to all moves"
    if told.get("past") and (corpus.past > np.diff(corpus.offsets)).any():
        yield "past.npy has more moves than there are"
    most = {
        "results": UNKNOWN_RESULT,
        "kinds": max(Kind),
        "splits": max(Split),
        "starts": told["positions"] - 1,
    }
    for name, value in most.items():
        if (found := int(corpus.array(name).max(initial=-1 if name == "starts" else 0))) > value:
            yield f"{name}.npy has {found} where {value} is the most"
    tags = path / "tags.parquet"
    if told.get("tags") and not tags.exists():
        yield "tags.parquet is missing"
    if tags.exists() and not _is_parquet(tags):
        yield "tags.parquet cannot be read"


def _is_parquet(path: Path) -> bool:
    """By its first and last four bytes: machines that only train have no library for more."""
    with path.open("rb") as file:
        first = file.read(4)
        file.seek(max(0, path.stat().st_size - 4))
        return first == file.read(4) == b"PAR1"
