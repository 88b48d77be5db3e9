"""Parquet, one row a position, for other people's tools: the columns of a row and what is known of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from zeroply.artefacts import new_file
from zeroply.corpus.exports.blocks import Block, blocks, count_own
from zeroply.corpus.score import NO_CLOCK, NO_EVALUATION, UNKNOWN_RESULT
from zeroply.corpus.store import Corpus
from zeroply.errors import needs
from zeroply.games import Column, Game

if TYPE_CHECKING:
    import pyarrow as pa


def write(corpus: Corpus, games: NDArray[np.int64], out: Path) -> str:
    with needs("data", "Parquet"):
        import pyarrow.parquet as pq

    with new_file(out) as path, pq.ParquetWriter(path, _schema(corpus.game), compression="zstd") as writer:
        for block in blocks(corpus, games):
            writer.write_table(_table(block).filter(block.own))
    return f"{out}: {count_own(corpus, games)}"


def _schema(game: Game) -> pa.Schema:
    import pyarrow as pa

    def kind(column: Column) -> pa.DataType:
        single = pa.from_numpy_dtype(column.dtype)
        return pa.list_(single, column.shape[0]) if column.shape else single

    state = {name: kind(column) for name, column in game.columns.items()}
    return pa.schema(
        {
            "game": pa.int64(),
            "ply": state.pop("ply"),
            **state,
            "move": pa.string(),
            "result": pa.float32(),
            "evaluation": pa.int16(),
            "clock": pa.float32(),
        }
    )


def _table(block: Block) -> pa.Table:
    """Unknown results, evaluations and clocks are null; a clock is in seconds."""
    import pyarrow as pa

    results = block.corpus.results[block.game]
    columns = {
        **block.rows.state,
        "game": block.game,
        "move": block.names,
        "result": np.where(results == UNKNOWN_RESULT, np.nan, results / 2),
        "evaluation": pa.array(block.evaluations, mask=block.evaluations == NO_EVALUATION),
        "clock": np.where(block.clocks == NO_CLOCK, np.nan, block.clocks / 10),
    }
    schema = _schema(block.corpus.game)
    return pa.table([_array(columns[field.name], field.type) for field in schema], schema=schema)


def _array(values: object, kind: pa.DataType) -> pa.Array:
    import pyarrow as pa

    if isinstance(values, np.ndarray) and values.ndim == 2:
        return pa.FixedSizeListArray.from_arrays(pa.array(values.reshape(-1)), type=kind)
    return pa.array(values, kind, from_pandas=True)  # so that NaN becomes null
