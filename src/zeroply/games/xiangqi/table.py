"""The 2086 moves that a xiangqi piece can make on some board, in the order of their sorted names.

Squares: a0 is 0, b0 is 1, i9 is 89; Red's half is ranks 0 to 4. Names are those of UCCI: h2e2.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from zeroply.games.base import MoveTable

FILES, RANKS = "abcdefghi", "0123456789"
SQUARES = len(FILES) * len(RANKS)
MIRROR = (9 - np.arange(SQUARES) // 9) * 9 + np.arange(SQUARES) % 9
"""[90] each square as Black sees it: ranks change, files stay."""
FLIP = np.arange(SQUARES) // 9 * 9 + 8 - np.arange(SQUARES) % 9
"""[90] each square with left and right changed, which is the same game."""

STRAIGHT = [(0, 1), (1, 0), (0, -1), (-1, 0)]
"""Directions of chariot and cannon as file and rank steps."""
DIAGONAL = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
"""Steps of the advisor."""
LONG_DIAGONAL = [(2 * file, 2 * rank) for file, rank in DIAGONAL]
"""Steps of the elephant."""
JUMPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
"""Jumps of the horse, over the square beside it in the direction of the longer part."""


def shifted(square: int, files: int, ranks: int) -> int | None:
    """The square so many files and ranks away, or None off the board."""
    file, rank = square % 9 + files, square // 9 + ranks
    return rank * 9 + file if 0 <= file < 9 and 0 <= rank < 10 else None


def square_name(square: int) -> str:
    return FILES[square % 9] + RANKS[square // 9]


ADVISOR_POINTS = frozenset({3, 5, 13, 21, 23, 66, 68, 76, 84, 86})
"""The squares that advisors can reach: corners and middle of the palaces."""
ELEPHANT_POINTS = frozenset({2, 6, 18, 22, 26, 38, 42, 47, 51, 63, 67, 71, 83, 87})
"""The squares that elephants can reach on their own side of the river."""
PALACES = frozenset(9 * rank + file for rank in (0, 1, 2, 7, 8, 9) for file in (3, 4, 5))


def ends(start: int, steps: list[tuple[int, int]], within: frozenset[int] | None = None) -> list[int]:
    """The squares that steps lead to, on the board or, if start is there, within some squares only."""
    reached = [end for step in steps if (end := shifted(start, *step)) is not None]
    return reached if within is None else [end for end in reached if {start, end} <= within]


def _moves() -> Iterator[tuple[int, int]]:
    """All (start, end): those of chariot, horse, advisor and elephant; the other pieces have no others."""
    lines = [(f * n, r * n) for f, r in STRAIGHT for n in range(1, 10)]
    for start in range(SQUARES):
        reached = ends(start, lines + JUMPS)
        reached += ends(start, DIAGONAL, ADVISOR_POINTS) + ends(start, LONG_DIAGONAL, ELEPHANT_POINTS)
        yield from ((start, end) for end in reached)


def build_table() -> MoveTable:
    def name(start: int, end: int) -> str:
        return square_name(start) + square_name(end)

    named = sorted((name(*move), *move) for move in _moves())
    numbers = {entry[0]: number for number, entry in enumerate(named)}
    start, end = np.array([entry[1:] for entry in named], np.int64).T

    def seen(squares: NDArray[np.int64]) -> NDArray[np.int64]:
        """Each move where every square is called by another's name."""
        pairs = zip(squares[start].tolist(), squares[end].tolist(), strict=True)
        return np.array([numbers[name(*pair)] for pair in pairs], np.int64)

    return MoveTable(
        names=tuple(numbers),
        start=np.ascontiguousarray(start),
        end=np.ascontiguousarray(end),
        promotion=np.zeros(len(named), np.int64),
        mirror=seen(MIRROR),
        flip=seen(FLIP),
    )
