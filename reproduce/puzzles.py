"""`python -m reproduce.puzzles SOURCE TRAIN TEST`: Lichess puzzles, held out by their ids' hashes."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from zeroply.arguments import Parser
from zeroply.artefacts import new_file
from zeroply.corpus.readers.files import open_text
from zeroply.errors import ReadError, ZeroplyError
from zeroply.exits import exit_codes

ID = "PuzzleId"
HELD_OUT = 5
"""Percent."""


def held_out(puzzle: str) -> bool:
    return int(hashlib.sha256(puzzle.encode()).hexdigest()[:8], 16) % 100 < HELD_OUT


def split(source: Path, train: Path, test: Path) -> Sequence[int]:
    """How many there are of each. The test part appears last: where it is, both are whole."""
    if train.resolve() == test.resolve():
        raise ZeroplyError(f"{train} would hold both parts. Give each a file of its own")
    counts = [0, 0]
    with ExitStack() as files:
        rows = csv.DictReader(files.enter_context(open_text(source)))
        names = rows.fieldnames or ()
        if ID not in names:
            raise ReadError(f"{source} has no column {ID}. Give the table of Lichess's puzzles")
        held, learnt = (files.enter_context(new_file(path)) for path in (test, train))
        tables = [
            csv.DictWriter(files.enter_context(place.open("w", encoding="utf-8", newline="")), names)
            for place in (learnt, held)
        ]
        for table in tables:
            table.writeheader()
        try:
            for row in rows:
                tables[held_out(row[ID])].writerow(row)
                counts[held_out(row[ID])] += 1
        except (csv.Error, ValueError) as error:
            raise ReadError(
                f"{source}, near line {rows.line_num}: {error}. Mend or remove that line"
            ) from None
    return counts


def main() -> None:
    parser = Parser("python -m reproduce.puzzles")
    for name in ("source", "train", "test"):
        parser.add_argument(name, type=Path)
    given = parser.parse_args()
    print("{:,} to learn, {:,} held out".format(*split(given.source, given.train, given.test)))


if __name__ == "__main__":
    with exit_codes(when_stopped="nothing was written"):
        main()
