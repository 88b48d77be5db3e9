"""Lichess puzzles: PuzzleId, FEN before the opponent's move, Moves in UCI, Rating, Themes, as CSV.

Only the solver's moves, the second, the fourth and so on, are of interest to training: the opponent's first
move is the mistake that makes the puzzle, and his others are forced. `Kind.puzzle` tells such games.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from zeroply.corpus.readers.files import open_text
from zeroply.corpus.readers.skipped import Skipped
from zeroply.corpus.readers.tables import rows
from zeroply.corpus.score import Kind, Score
from zeroply.games import Game

NEEDED = ("PuzzleId", "FEN", "Moves")


def read(source: Path, game: Game) -> Iterator[Score | Skipped]:
    """Each puzzle as a game from its FEN; the solver plays the second move, the fourth and so on."""
    with open_text(source) as lines:
        numbers = game.moves.numbers
        for number, row in enumerate(rows(lines, source, NEEDED), 1):
            names = [] if isinstance(row, str) else row["Moves"].split()
            wrong = [name for name in names if name not in numbers]
            if isinstance(row, str):
                yield Skipped(source.name, number, row)
            elif wrong or len(names) < 2:
                reason = f"'{wrong[0]}' is no move" if wrong else "it has no solution"
                yield Skipped(source.name, number, reason)
            else:
                yield Score(
                    moves=[numbers[name] for name in names],
                    start=row["FEN"],
                    kind=Kind.puzzle,
                    tags={name: text for name, text in row.items() if text and name not in ("FEN", "Moves")},
                )
