"""Lichess puzzles: PuzzleId, FEN before the opponent's move, Moves in UCI, Rating, Themes, as CSV.

Only the solver's moves, the second, the fourth and so on, are of interest to training: the opponent's first
move is the mistake that makes the puzzle, and his others are forced. `Kind.puzzle` tells such games.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from zeroply.corpus.readers.base import Reader
from zeroply.corpus.readers.pieces import Piece
from zeroply.corpus.readers.tables import pieces, rows
from zeroply.corpus.score import Kind, Score, Skipped
from zeroply.corpus.scores import Scores, gather
from zeroply.games import Game

NEEDED = ("PuzzleId", "FEN", "Moves")


def _pieces(source: Path) -> Iterator[Piece]:
    return pieces(source, NEEDED)


def _parse(piece: Piece, game: Game) -> Scores:
    return gather(_puzzles(piece, game))


READER = Reader(_pieces, _parse)


def _puzzles(piece: Piece, game: Game) -> Iterator[Score | Skipped]:
    """Each puzzle as a game from its FEN; the solver plays the second move, the fourth and so on."""
    numbers, source = game.moves.numbers, piece.path.name
    for number, row in enumerate(rows(piece.text), 1):
        names = [] if isinstance(row, str) else row["Moves"].split()
        wrong = [name for name in names if name not in numbers]
        if isinstance(row, str):
            yield Skipped(source, number, row)
        elif wrong or len(names) < 2:
            reason = f"'{wrong[0]}' is no move" if wrong else "it has no solution"
            yield Skipped(source, number, reason)
        else:
            yield Score(
                moves=[numbers[name] for name in names],
                start=row["FEN"],
                kind=Kind.puzzle,
                tags={name: text for name, text in row.items() if text and name not in ("FEN", "Moves")},
            )
