"""What becomes of the answers of a net that sees the board as the first player does, whoever is to move.

Shapes: B batch, S squares, M moves.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from zeroply.games import MoveTable


class MoversView(nn.Module):
    """The net's `evaluation` [B], which it gives as the first player sees it, becomes the mover's."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, streams: Mapping[str, Tensor]) -> dict[str, Tensor]:
        out: dict[str, Tensor] = self.net(streams)
        first = out["evaluation"]
        return {**out, "evaluation": torch.where(streams["second"], -first, first)}


class PawnsPromote(nn.Module):
    """A pawn before the last rank makes promotions alone, and nothing else makes any: where the net's
    `policy` [B, M] cannot tell a rook's e7e8 from a pawn's e7e8q, the one that cannot be gets nothing, so
    that no probability is counted twice."""

    start: Tensor
    promotes: Tensor

    def __init__(self, net: nn.Module, table: MoveTable) -> None:
        super().__init__()
        self.net = net
        self.register_buffer("start", torch.as_tensor(table.start), persistent=False)
        self.register_buffer("promotes", torch.as_tensor(table.promotion > 0), persistent=False)

    def forward(self, streams: Mapping[str, Tensor]) -> dict[str, Tensor]:
        out: dict[str, Tensor] = self.net(streams)
        meant = streams["promoting"][:, self.start] == self.promotes
        return {**out, "policy": torch.where(meant, out["policy"], -torch.inf)}
