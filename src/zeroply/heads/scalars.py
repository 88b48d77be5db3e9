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


class Evaluation(nn.Module):
    """What the position is worth, on the scale of `objectives.evaluation_scale`: [B, L, D] -> [B].

    `layers` turn tokens into one number [B, 1].
    """

    def __init__(self, layers: nn.Module) -> None:
        super().__init__()
        self.layers = layers

    def forward(self, x: Tensor, flipped: Tensor) -> Tensor:
        worth: Tensor = self.layers(x).float()[:, 0]
        return worth
