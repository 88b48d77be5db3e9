"""The board as it is, White's or Red's first rank first, whoever is to move.

Shapes: B batch, S squares.
"""

from __future__ import annotations

import torch
from torch import Tensor

from zeroply.encodings.base import Stream
from zeroply.games import Game, Rows


def board_stream(game: Game) -> Stream:
    squares = game.files * game.ranks
    return Stream(length=squares, vocabulary=2 * game.kinds + 1, squares=tuple(range(squares)))


def codes(rows: Rows, game: Game) -> Tensor:
    """[B, S] piece codes counted from 0, the empty square in the middle."""
    board: Tensor = rows["board"].long()
    return board + game.kinds


def not_turned(rows: Rows) -> Tensor:
    """[B] false: the board is not turned for the mover."""
    column: Tensor = next(iter(rows.values()))
    return column.new_zeros(column.shape[0], dtype=torch.bool)
