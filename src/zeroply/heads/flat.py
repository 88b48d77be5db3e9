"""Log-probabilities over the move table from one vector.

Shapes: B batch, D width, M moves.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Streams
from zeroply.errors import RecipeError
from zeroply.games import Game


class Flat(nn.Module):
    """One logit for each move. There may be more `outputs` than moves: the first M are the table's, and what
    probability the others get is off the table and lost."""

    mirror: Tensor

    def __init__(self, game: Game, width: int, outputs: int) -> None:
        super().__init__()
        if outputs < len(game.moves):
            raise RecipeError(
                f"outputs={outputs} is less than the {len(game.moves)} moves of {game.name}. "
                f"Choose at least {len(game.moves)}"
            )
        self.logits = nn.Linear(width, outputs)
        self.register_buffer("mirror", torch.as_tensor(game.moves.mirror), persistent=False)

    def forward(self, x: Tensor, streams: Streams) -> dict[str, Tensor]:
        """[B, D] -> `policy` [B, M]."""
        facing = self.logits(x).float().log_softmax(-1)[:, : len(self.mirror)]
        return {"policy": torch.where(streams["flipped"][:, None], facing[:, self.mirror], facing)}
