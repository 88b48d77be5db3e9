"""What was written, read back by our own readers."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.sources import CHESS
from zeroply.corpus.build import build
from zeroply.corpus.readers import read
from zeroply.corpus.score import Score, Skipped
from zeroply.corpus.store import Corpus


def rebuilt(path: Path, folder: Path) -> Corpus:
    manifest = build(folder, [path], CHESS)
    assert manifest["skipped"] == 0
    return Corpus.open(folder)


def assert_equal(found: Corpus, wanted: Corpus, names: tuple[str, ...]) -> None:
    for name in ("moves", "offsets", "starts", "positions", *names):
        np.testing.assert_array_equal(found.array(name), wanted.array(name), err_msg=name)


def games_in(path: Path) -> list[list[int]]:
    found = list(read(path, CHESS))
    assert not [item for item in found if isinstance(item, Skipped)]
    return [list(map(int, item.moves)) for item in found if isinstance(item, Score)]
