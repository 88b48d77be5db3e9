"""Heads that return a few numbers about the whole position, always from the mover's view.

Shapes: B batch, L tokens, D width.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Streams
from zeroply.nets.layers import mlp

SURE = 1e-6
"""Points nearer than this to 0 or 1 would be worth endlessly much."""


class Outcome(nn.Module):
    """Log-probabilities that the mover wins, draws, loses: [B, L, D] -> `wdl` [B, 3]."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = mlp(width, width, 3)

    def forward(self, x: Tensor, streams: Streams) -> dict[str, Tensor]:
        return {"wdl": self.layers(x.mean(1)).float().log_softmax(-1)}


class Value(nn.Module):
    """Expected points of the mover, 0 … 1: [B, L, D] -> `value` [B], and its logit, by which it is learnt:
    a value that is wrong and sure has no gradient.

    `layers` turn tokens into one number [B, 1].
    """

    def __init__(self, layers: nn.Module) -> None:
        super().__init__()
        self.layers = layers

    def forward(self, x: Tensor, streams: Streams) -> dict[str, Tensor]:
        logit = self.layers(x)[:, 0].float()
        return {"value": logit.sigmoid(), "value_logit": logit}


class Evaluation(nn.Module):
    """What the position is worth, on the scale of `objectives.evaluation_scale`: [B, L, D] -> `evaluation`
    [B], of a net that sees the board as it is: `turn` tells whose view the mover's is.

    `layers` turn tokens into what it is worth to the first player [B, 1].
    """

    def __init__(self, layers: nn.Module) -> None:
        super().__init__()
        self.layers = layers

    def forward(self, x: Tensor, streams: Streams) -> dict[str, Tensor]:
        first = self.layers(x).float()
        return {"evaluation": torch.where(streams["turn"] == 1, -first, first)[:, 0]}


class EvaluationBins(nn.Module):
    """What the position is worth as a histogram: [B, L, D] -> log-probabilities `evaluation_bins` [B, K] that
    the mover's points, 0 … 1, lie in each of K equal bins; their mean, `value` [B]; and the `evaluation` [B]
    that is worth so many points, on the scale of `objectives.evaluation_scale`.

    An evaluation e is worth 1 / (1 + e^(-slope e)) points. The net must face the mover.
    """

    middles: Tensor

    def __init__(self, width: int, bins: int, slope: float) -> None:
        super().__init__()
        self.layers = mlp(width, width, bins)
        self.slope = slope
        self.register_buffer("middles", (torch.arange(bins) + 0.5) / bins, persistent=False)

    def forward(self, x: Tensor, streams: Streams) -> dict[str, Tensor]:
        bins = self.layers(x.mean(1)).float().log_softmax(-1)
        points = (bins.exp() * self.middles).sum(1).clamp(SURE, 1 - SURE)
        evaluation = (points / (1 - points)).log() / self.slope
        return {"value": points, "evaluation": evaluation, "evaluation_bins": bins}


class PliesLeft(nn.Module):
    """How many plies the game will go on, the next one included: [B, L, D] -> `plies_left` [B], and its
    logarithm, by which it is learnt: a ply more or less is much at the end and nothing in the opening."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = mlp(width, width, 1)

    def forward(self, x: Tensor, streams: Streams) -> dict[str, Tensor]:
        logarithm = self.layers(x.mean(1))[:, 0].float()
        return {"plies_left": logarithm.exp(), "plies_left_log": logarithm}
