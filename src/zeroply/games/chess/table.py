"""The 1968 moves that a chess piece can make on some board, in the order of their sorted UCI names."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from zeroply.games.base import MoveTable

FILES, RANKS = "abcdefgh", "12345678"
PROMOTIONS = "nbrq"
MIRROR = np.arange(64) ^ 56
"""[64] each square as Black sees it: ranks change, files stay."""

SLIDES = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)]
"""Directions of rook (first four) and bishop (last four) as file and rank steps."""
JUMPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def shifted(square: int, files: int, ranks: int) -> int | None:
    """The square so many files and ranks away, or None off the board."""
    file, rank = square % 8 + files, square // 8 + ranks
    return rank * 8 + file if 0 <= file < 8 and 0 <= rank < 8 else None


def square_name(square: int) -> str:
    return FILES[square % 8] + RANKS[square // 8]


def _moves() -> Iterator[tuple[int, int, int]]:
    """All (start, end, promotion): queen and knight moves, castling among them, and pawns' promotions."""
    steps = [(f * n, r * n) for f, r in SLIDES for n in range(1, 8)] + JUMPS
    for start in range(64):
        for files, ranks in steps:
            end = shifted(start, files, ranks)
            if end is None:
                continue
            yield start, end, 0
            if abs(files) <= 1 and (start // 8, ranks) in ((6, 1), (1, -1)):
                yield from ((start, end, piece) for piece in range(1, 5))


def build_table() -> MoveTable:
    squares: list[str] = [square_name(square) for square in range(64)]
    pieces: list[str] = ["", *PROMOTIONS]

    def name(start: int, end: int, promotion: int) -> str:
        return squares[start] + squares[end] + pieces[promotion]

    named = sorted((name(*move), *move) for move in _moves())
    numbers = {entry[0]: number for number, entry in enumerate(named)}
    mirror = [numbers[name(start ^ 56, end ^ 56, promotion)] for _, start, end, promotion in named]
    start, end, promotion = np.array([entry[1:] for entry in named], np.int64).T
    return MoveTable(
        names=tuple(numbers),
        start=np.ascontiguousarray(start),
        end=np.ascontiguousarray(end),
        promotion=np.ascontiguousarray(promotion),
        mirror=np.array(mirror, np.int64),
    )
