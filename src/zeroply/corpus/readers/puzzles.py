"""Lichess puzzles: PuzzleId, FEN before the opponent's move, Moves in UCI, Rating, Themes, as CSV.

Only the solver's moves, the second, the fourth and so on, are of interest to training: the opponent's first
move is the mistake that makes the puzzle, and his others are forced. `Kind.puzzle` tells such games.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from zeroply.corpus.readers.base import Reader
from zeroply.corpus.readers.checked import Claim, checked
from zeroply.corpus.readers.pieces import Piece
from zeroply.corpus.readers.tables import pieces, rows
from zeroply.corpus.score import Kind, Score, Skipped
from zeroply.corpus.scores import Scores, gather
from zeroply.games import Game

NEEDED = ("PuzzleId", "FEN", "Moves")


def _pieces(source: Path) -> Iterator[Piece]:
    return pieces(source, NEEDED)


def _parse(piece: Piece, game: Game) -> Scores:
    return gather(checked(_claims(piece), game, piece.path.name))


READER = Reader(_pieces, _parse, only="chess")


def _claims(piece: Piece) -> Iterator[Claim | Skipped]:
    """Each puzzle as a game from its FEN; the solver plays the second move, the fourth and so on."""
    for number, row in enumerate(rows(piece.text), 1):
        if isinstance(row, str):
            yield Skipped(piece.path.name, number, row)
            continue
        moves = row["Moves"].split()
        if len(moves) < 2:
            yield Skipped(piece.path.name, number, "it has no solution")
            continue
        tags = {name: text for name, text in row.items() if name and text and name not in ("FEN", "Moves")}
        yield Claim(number, moves, Score(moves=(), start=row["FEN"], kind=Kind.puzzle, tags=tags))
