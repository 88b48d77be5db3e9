"""CSV, one row a position, with the columns of seed 004: what `corpus.readers.engine` reads."""

from __future__ import annotations

import csv
from pathlib import Path

from zeroply.artefacts import new_file
from zeroply.corpus.exports.blocks import blocks
from zeroply.corpus.exports.comments import score
from zeroply.corpus.readers.engine import COLUMNS
from zeroply.corpus.store import Corpus
from zeroply.errors import ZeroplyError
from zeroply.games.chess import CHESS
from zeroply.games.chess.fens import fens

RESULTS = ("0", "0.5", "1", "")
"""By half points; the last for unknown."""


def write(corpus: Corpus, out: Path) -> str:
    if corpus.game is not CHESS:
        raise ZeroplyError(f"{corpus.path} is a corpus of {corpus.game.name}; csv knows chess. Try parquet")
    with new_file(out) as path, path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        for block in blocks(corpus):
            table.writerows(
                zip(
                    block.game.tolist(),
                    block.rows.state["ply"].tolist(),
                    fens(block.rows.state),
                    block.names,
                    map(score, block.evaluations.tolist()),
                    [RESULTS[result] for result in corpus.results[block.game].tolist()],
                    strict=True,
                )
            )
    return f"{out}: {len(corpus):,} games, {len(corpus.moves):,} positions"
