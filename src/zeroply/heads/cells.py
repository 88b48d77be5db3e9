"""Moves as cells of a table, square left by square reached: 64 × 64 for chess.

Shapes: B batch, L tokens, S squares, D width, M moves.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from zeroply.games import MoveTable

SHARES = (1.0, 0.01, 0.01, 0.01, 0.97)
"""What a move has of its cell, by promotion: all without one, nearly all with a queen."""


def shares_of_cells(table: MoveTable) -> Tensor:
    """[M] which part of its cell each move has."""
    return torch.tensor(SHARES)[torch.as_tensor(table.promotion)]


class Cells(nn.Module):
    """Log-probabilities of the moves: those of their cells, shared out among promotions.

    Cells that are no move keep what they get. A rook's e7e8 and a pawn's e7e8q have the same cell, and both
    are given it: which of them is meant only the board tells (`nets.answers.PawnsPromote`). `layers` turn
    tokens [B, L, D] into logits of all cells [B, S * S], in the absolute frame.
    """

    cell: Tensor
    part: Tensor

    def __init__(self, table: MoveTable, squares: int, layers: nn.Module) -> None:
        super().__init__()
        self.layers = layers
        cell = torch.as_tensor(table.start * squares + table.end)
        self.register_buffer("cell", cell, persistent=False)
        self.register_buffer("part", shares_of_cells(table).log(), persistent=False)

    def forward(self, x: Tensor, flipped: Tensor) -> Tensor:
        """[B, L, D], [B] -> [B, M]."""
        log_cells: Tensor = self.layers(x).float().log_softmax(-1)
        return log_cells[:, self.cell] + self.part
