"""Heads that return log-probabilities over the whole move table.

Shapes: B batch, S squares, D width, M moves.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Streams
from zeroply.games import Game

PROMOTIONS = 5
"""None, knight, bishop, rook, queen."""


class FromTo(nn.Module):
    """A move is a pair of squares that fit together: a query of the one against a key of the other.

    Promotions to different pieces share that pair; a small layer on the square reached tells them apart.
    """

    pair: Tensor
    piece: Tensor
    mirror: Tensor

    def __init__(self, game: Game, width: int) -> None:
        super().__init__()
        squares, table = game.files * game.ranks, game.moves
        self.source, self.target = nn.Linear(width, width), nn.Linear(width, width)
        self.promotion = nn.Linear(width, PROMOTIONS - 1) if table.promotion.any() else None
        self.register_buffer("pair", torch.as_tensor(table.start * squares + table.end), persistent=False)
        self.register_buffer(
            "piece", torch.as_tensor(table.end * PROMOTIONS + table.promotion), persistent=False
        )
        self.register_buffer("mirror", torch.as_tensor(table.mirror), persistent=False)

    def forward(self, x: Tensor, streams: Streams) -> dict[str, Tensor]:
        """[B, S, D] -> `policy` [B, M]."""
        fit = self.source(x) @ self.target(x).transpose(1, 2) / math.sqrt(x.shape[-1])
        logits = fit.flatten(1)[:, self.pair]
        if self.promotion is not None:
            piece = nn.functional.pad(self.promotion(x), (1, 0))  # no promotion adds nothing
            logits = logits + piece.flatten(1)[:, self.piece]
        facing = logits.float().log_softmax(-1)
        return {"policy": torch.where(streams["flipped"][:, None], facing[:, self.mirror], facing)}
