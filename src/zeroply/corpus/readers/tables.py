"""CSV files row by row; a row that is none costs only itself."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

from zeroply.errors import ReadError


def rows(lines: Iterable[str], source: Path, needed: Iterable[str]) -> Iterator[dict[str, str] | str]:
    """Each row by its columns, empty where it is short, or what is wrong with it."""
    table = csv.DictReader((line.replace("\0", "") for line in lines), restval="")
    missing = [name for name in needed if name not in (table.fieldnames or ())]
    if missing:
        raise ReadError(f"{source} has no column {missing[0]}. Such a file has {', '.join(needed)}")
    while True:
        try:
            yield next(table)
        except StopIteration:
            return
        except csv.Error as error:
            yield f"line {table.line_num}: {error}"
