"""CSV, one row a position, with the columns of seed 004: what `corpus.readers.engine` reads."""

from __future__ import annotations

import csv
from itertools import compress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroply.artefacts import new_file
from zeroply.corpus.exports.blocks import blocks, count_own
from zeroply.corpus.exports.comments import score
from zeroply.corpus.readers.engine import COLUMNS
from zeroply.corpus.store import Corpus

RESULTS = ("0", "0.5", "1", "")
"""By half points; the last for unknown."""


def write(corpus: Corpus, games: NDArray[np.int64], out: Path) -> str:
    with new_file(out) as path, path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        for block in blocks(corpus, games):
            rows = zip(
                block.game.tolist(),
                block.rows.state["ply"].tolist(),
                corpus.game.fens(block.rows.state),
                block.names,
                map(score, block.evaluations.tolist()),
                [RESULTS[result] for result in corpus.results[block.game].tolist()],
                strict=True,
            )
            table.writerows(compress(rows, block.own.tolist()))
    return f"{out}: {count_own(corpus, games)}"
