"""Lichess puzzles: PuzzleId, FEN before the opponent's move, Moves in UCI, Rating, Themes, as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from zeroply.corpus.readers.files import open_text
from zeroply.corpus.readers.skipped import Skipped
from zeroply.corpus.score import Kind, Score
from zeroply.errors import ReadError
from zeroply.games import Game

NEEDED = ("PuzzleId", "FEN", "Moves")


def _lines(table: csv.DictReader[str], source: Path) -> Iterator[dict[str, str]]:
    try:
        yield from table
    except csv.Error as error:
        raise ReadError(f"{source}, line {table.line_num}: {error}. Is it a CSV file?") from None


def read(source: Path, game: Game) -> Iterator[Score | Skipped]:
    """Each puzzle as a game from its FEN; the solver plays the second move, the fourth and so on."""
    with open_text(source) as file:
        table = csv.DictReader(file)
        missing = [name for name in NEEDED if name not in (table.fieldnames or ())]
        if missing:
            raise ReadError(f"{source} has no column {missing[0]}. A puzzle file has {', '.join(NEEDED)}, …")
        numbers = game.moves.numbers
        for number, line in enumerate(_lines(table, source), 1):
            names = (line["Moves"] or "").split()
            wrong = [name for name in names if name not in numbers]
            if wrong or len(names) < 2:
                yield Skipped(
                    source.name, number, f"'{wrong[0]}' is no move" if wrong else "it has no solution"
                )
                continue
            yield Score(
                moves=[numbers[name] for name in names],
                start=line["FEN"],
                kind=Kind.puzzle,
                tags={name: value for name, value in line.items() if value and name not in ("FEN", "Moves")},
            )
