"""A move's four coordinates, each answered by itself; a move is as likely as all four together.

Shapes: B batch, N places in a sequence, D width, M moves.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from zeroply.games import Game
from zeroply.games.coordinates import coordinates


class FourCoordinates(nn.Module):
    """Log-probabilities of `from_x`, `from_y`, `to_x`, `to_y` at every place, and of all moves, `policy`, at
    the last: their sum. What the four give to pairs of squares that are no move stays off the table."""

    def __init__(self, game: Game, width: int) -> None:
        super().__init__()
        self.heads = nn.ModuleDict()
        for coordinate in coordinates(game):
            self.heads[coordinate.name] = nn.Linear(width, coordinate.size)
            self.register_buffer(coordinate.name, torch.as_tensor(coordinate.of), persistent=False)

    def forward(self, x: Tensor) -> dict[str, Tensor]:
        """[B, N, D] -> four times [B, N, 9 or 10], and [B, M]."""
        out = {name: head(x).float().log_softmax(-1) for name, head in self.heads.items()}
        shares = [part[:, -1][:, getattr(self, name)] for name, part in out.items()]
        return {"policy": sum(shares[1:], shares[0]), **out}
