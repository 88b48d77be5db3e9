"""Lichess puzzles: PuzzleId, FEN before the opponent's move, Moves in UCI, Rating, Themes, as CSV.

Only the solver's moves, the second, the fourth and so on, are of interest to training: the opponent's first
move is the mistake that makes the puzzle, and his others are forced. `Kind.puzzle` tells such games.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from zeroply.corpus.readers.checked import Claim, checked
from zeroply.corpus.readers.files import open_text
from zeroply.corpus.readers.pgn.moves import parser
from zeroply.corpus.readers.skipped import Skipped
from zeroply.corpus.readers.tables import rows
from zeroply.corpus.score import Kind, Score
from zeroply.games import Game

NEEDED = ("PuzzleId", "FEN", "Moves")


def read(source: Path, game: Game) -> Iterator[Score | Skipped]:
    """Each puzzle as a game from its FEN; the solver plays the second move, the fourth and so on."""
    parse = parser(source, game)
    with open_text(source) as lines:
        yield from checked(_claims(lines, source), parse, source.name)


def _claims(lines: Iterable[str], source: Path) -> Iterator[Claim | Skipped]:
    for number, row in enumerate(rows(lines, source, NEEDED), 1):
        if isinstance(row, str):
            yield Skipped(source.name, number, row)
            continue
        moves = row["Moves"].split()
        if len(moves) < 2:
            yield Skipped(source.name, number, "it has no solution")
            continue
        tags = {name: text for name, text in row.items() if name and text and name not in ("FEN", "Moves")}
        yield Claim(number, moves, Score(moves=(), start=row["FEN"], kind=Kind.puzzle, tags=tags))
