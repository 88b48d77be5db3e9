"""CSV files row by row; a row that is none costs only itself."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from zeroply.corpus.readers.files import open_text
from zeroply.corpus.readers.pieces import Piece, at_any_line, text_pieces
from zeroply.errors import ReadError


def header(source: Path) -> list[str]:
    with open_text(source) as lines:
        try:
            return next(csv.reader(lines), [])
        except csv.Error as error:
            raise ReadError(f"{source} has no line of column names: {error}") from None


def pieces(source: Path, needed: Iterable[str], together: str | None = None) -> Iterator[Piece]:
    """Each piece is a table with the header of the whole. Rows that follow each other with the same text in
    the column `together` stay together."""
    names = header(source)
    missing = [name for name in needed if name not in names]
    if missing:
        raise ReadError(f"{source} has no column {missing[0]}. Such a file has {', '.join(needed)}")

    def between_groups(text: str) -> int:
        assert together is not None  # noqa: S101 (asked for only then)
        return _last_change(text, names.index(together))

    first_line = ""
    for piece in text_pieces(source, between_groups if together else at_any_line):
        text = first_line + piece.text
        first_line = first_line or text.partition("\n")[0] + "\n"
        yield replace(piece, text=text)


def _last_change(text: str, column: int) -> int:
    """Where the last run of lines with the same value in a column begins."""
    end, value = len(text), None
    while end > 0:
        begin = text.rfind("\n", 0, end - 1) + 1
        here = _value(text[begin:end], column)
        if value is not None and here != value:
            return end
        end, value = begin, here
    return 0


def _value(line: str, column: int) -> str:
    row = next(csv.reader([line]), [])
    return row[column] if column < len(row) else ""


def rows(text: str) -> Iterator[dict[str, str] | str]:
    """Each row by its columns, empty where it is short, or what is wrong with it."""
    table = csv.DictReader((line.replace("\0", "") for line in io.StringIO(text)), restval="")
    while True:
        try:
            yield next(table)
        except StopIteration:
            return
        except csv.Error as error:
            yield f"line {table.line_num}: {error}"
