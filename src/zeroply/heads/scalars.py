"""Heads that return a few numbers about the whole position, always from the mover's view."""

from __future__ import annotations

from torch import Tensor, nn


class Outcome(nn.Module):
    """Log-probabilities that the mover wins, draws, loses: [B, L, D] -> [B, 3]."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, width), nn.GELU(approximate="tanh"), nn.Linear(width, 3))

    def forward(self, x: Tensor, flipped: Tensor) -> Tensor:
        out: Tensor = self.layers(x.mean(1)).float().log_softmax(-1)
        return out
