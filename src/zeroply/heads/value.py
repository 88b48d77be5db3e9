"""What the mover may expect as one number."""

from __future__ import annotations

from torch import Tensor, nn

from zeroply.nets.causal import LastToken


class Value(nn.Module):
    """Expected points of the mover, 0 … 1, by a classifier of three layers on the last token, which has seen
    all the others: [B, L, D] -> [B]."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            LastToken(),
            nn.Linear(width, width),
            nn.GELU(approximate="tanh"),
            nn.Linear(width, width),
            nn.GELU(approximate="tanh"),
            nn.Linear(width, 1),
        )

    def forward(self, x: Tensor, flipped: Tensor) -> Tensor:
        value: Tensor = self.layers(x)[:, 0].float().sigmoid()
        return value
