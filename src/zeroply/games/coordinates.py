"""A move as small numbers: file and rank left, file and rank reached, and in chess what a pawn becomes.

Shapes: M moves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zeroply.games.base import Game


@dataclass(frozen=True, eq=False)
class Coordinate:
    """One of them."""

    name: str
    size: int
    """It is below this."""
    of: NDArray[np.int64]
    """[M] its value for every move of the table."""


def coordinates(game: Game) -> tuple[Coordinate, ...]:
    """In the order in which a move is written, always as the first player sees the board."""
    start, end, promotion = game.moves.start, game.moves.end, game.moves.promotion.astype(np.int64)
    squares = (
        Coordinate("from_x", game.files, start % game.files),
        Coordinate("from_y", game.ranks, start // game.files),
        Coordinate("to_x", game.files, end % game.files),
        Coordinate("to_y", game.ranks, end // game.files),
    )
    kinds = int(promotion.max()) + 1
    return squares if kinds == 1 else (*squares, Coordinate("promotion", kinds, promotion))
