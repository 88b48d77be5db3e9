"""The tags of games that training does not need, as Parquet tables: one row a game, one text column a tag."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from zeroply.errors import needs

if TYPE_CHECKING:
    import pyarrow as pa


def tag_table(tags: Mapping[str, Sequence[str | None]]) -> pa.Table:
    """Absent tags are null."""
    with needs("data", "a corpus with tags"):
        import pyarrow as pa

    return pa.table({name: pa.array(tags[name], pa.string()) for name in sorted(tags)})


def widened(table: pa.Table, names: Sequence[str], rows: int) -> pa.Table:
    """The table with exactly these columns; those that it lacks are null in all `rows`."""
    import pyarrow as pa

    nulls = pa.nulls(rows, pa.string())
    columns = [table.column(name) if name in table.column_names else nulls for name in names]
    return pa.table(dict(zip(names, columns, strict=True)))


def kept_rows(table: pa.Table, keep: NDArray[np.bool_]) -> pa.Table:
    """By runs of rows that stay: `take` would import all of pyarrow's functions, a tenth of a small build."""
    import pyarrow as pa

    edges = np.flatnonzero(np.diff(keep, prepend=False, append=False)).tolist()
    runs = [table.slice(first, last - first) for first, last in zip(edges[::2], edges[1::2], strict=True)]
    return pa.concat_tables([table.slice(0, 0), *runs])


class TagWriter:
    """A Parquet file written group by group."""

    def __init__(self, path: Path, names: Sequence[str]) -> None:
        with needs("data", "a corpus with tags"):
            import pyarrow as pa
            import pyarrow.parquet as pq

        schema = pa.schema([(name, pa.string()) for name in names])
        self._writer: Any = pq.ParquetWriter(path, schema, compression="zstd")

    def write(self, table: pa.Table) -> None:
        self._writer.write_table(table)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()


def write_draft(path: Path, table: pa.Table) -> None:
    """A table that is read again soon: as it lies in memory, which is quicker than Parquet."""
    import pyarrow as pa

    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def read_draft(path: Path) -> pa.Table:
    """An empty table where there is no file, as by `read_tags`."""
    import pyarrow as pa

    if not path.exists():
        return pa.table({})
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


def read_tags(path: Path) -> pa.Table:
    """An empty table where there is no file: then no game has tags."""
    with needs("data", "a corpus with tags"):
        import pyarrow as pa
        import pyarrow.parquet as pq

    # not read_table: it imports a framework for data sets, which takes longer than most files
    return pq.ParquetFile(path).read() if path.exists() else pa.table({})
