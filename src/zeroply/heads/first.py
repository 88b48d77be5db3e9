"""Heads that look at the first token alone, which has gathered what it needs from all others."""

from __future__ import annotations

from torch import Tensor, nn


class First(nn.Module):
    """A head of one vector, given the first of L: [B, L, D], [B] -> what the head makes of [B, D], [B]."""

    def __init__(self, head: nn.Module) -> None:
        super().__init__()
        self.head = head

    def forward(self, x: Tensor, flipped: Tensor) -> Tensor:
        out: Tensor = self.head(x[:, 0], flipped)
        return out
