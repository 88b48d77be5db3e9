"""Moves as cells of a table, square left by square reached: 64 × 64 for chess.

Shapes: B batch, L tokens, S squares, D width, M moves.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Streams
from zeroply.games import Game, MoveTable
from zeroply.games.chess import PAWN

SHARES = (1.0, 0.01, 0.01, 0.01, 0.97)
"""What a move has of its cell, by promotion: all without one, nearly all with a queen."""


def shares_of_cells(table: MoveTable) -> Tensor:
    """[M] which part of its cell each move has."""
    return torch.tensor(SHARES)[torch.as_tensor(table.promotion)]


class Cells(nn.Module):
    """Log-probabilities of the moves: those of their cells, shared out among promotions.

    Cells that are no move keep what they get. A rook's e7e8 and a pawn's e7e8q have the same cell: of them
    the one that the piece on `board` cannot make gets nothing, so that no probability is counted twice.
    `layers` turn tokens [B, L, D] into logits of all cells [B, S * S], in the absolute frame.
    """

    cell: Tensor
    part: Tensor
    start: Tensor
    promotes: Tensor
    promoting: Tensor

    def __init__(self, game: Game, layers: nn.Module) -> None:
        super().__init__()
        self.layers = layers
        table, squares = game.moves, torch.arange(game.files * game.ranks)
        ranks = squares // game.files
        pawns = PAWN * (ranks == game.ranks - 2).long() - PAWN * (ranks == 1).long()
        tables = {
            "cell": torch.as_tensor(table.start * len(squares) + table.end),
            "part": shares_of_cells(table).log(),
            "start": torch.as_tensor(table.start),
            "promotes": torch.as_tensor(table.promotion > 0),
            # [S] the code of the pawn that promotes from there; elsewhere none's.
            "promoting": torch.where(pawns == 0, -1, game.kinds + pawns),
        }
        for name, values in tables.items():
            self.register_buffer(name, values, persistent=False)

    def forward(self, x: Tensor, streams: Streams) -> dict[str, Tensor]:
        """[B, L, D] -> `policy` [B, M]."""
        log_cells: Tensor = self.layers(x).float().log_softmax(-1)
        promoting = streams["board"] == self.promoting
        meant = promoting[:, self.start] == self.promotes
        return {"policy": torch.where(meant, log_cells[:, self.cell] + self.part, -torch.inf)}
