"""The tags of games that training does not need, as a Parquet table for questions in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zeroply.errors import needs


def write_tags(path: Path, tags: Sequence[dict[str, str]]) -> None:
    """One row a game, one text column a tag, absent tags null."""
    with needs("data", "a corpus with tags"):
        import pyarrow as pa
        import pyarrow.parquet as pq
    names = sorted({name for game in tags for name in game})
    columns = {name: pa.array([game.get(name) for game in tags], pa.string()) for name in names}
    pq.write_table(pa.table(columns), path, compression="zstd")
