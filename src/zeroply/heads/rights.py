"""What the move to come leaves of castling and en passant, in the absolute frame.

Shapes: B batch, D width.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from zeroply.encodings.turning import swap_sides
from zeroply.games import Game


class Rights(nn.Module):
    """Logits of the castling rights (K Q k q), of an en passant capture and of its file: 13 in chess."""

    def __init__(self, game: Game, width: int) -> None:
        super().__init__()
        self.sides = game.columns["rights"].shape[0]
        self.logits = nn.Linear(width, self.sides + 1 + game.files)

    def forward(self, x: Tensor, flipped: Tensor) -> Tensor:
        """[B, D], [B] -> [B, 13]. A turned board exchanges the sides and keeps the files."""
        facing = self.logits(x).float()
        sides, passing = facing[:, : self.sides], facing[:, self.sides :]
        return torch.cat([swap_sides(sides, flipped[:, None]), passing], 1)
