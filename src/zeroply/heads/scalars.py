"""Heads that return a few numbers about the whole position, always from the mover's view.

Shapes: B batch, L tokens, D width.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Streams
from zeroply.nets.layers import mlp


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
    """What the position is worth as a histogram: [B, L, D] -> log-probabilities `evaluation_bins` [B, K]; the
    mean of the `evaluation` in each bin's middle [B], on the scale of `objectives.evaluation_scale`; and that
    of the points which these are worth to the mover, `value` [B].

    `evaluations` and `points` [K] are those of the middles. The net must face the mover.
    """

    evaluations: Tensor
    points: Tensor

    def __init__(self, width: int, evaluations: Tensor, points: Tensor) -> None:
        super().__init__()
        self.layers = mlp(width, width, len(points))
        self.register_buffer("evaluations", evaluations, persistent=False)
        self.register_buffer("points", points, persistent=False)

    def forward(self, x: Tensor, streams: Streams) -> dict[str, Tensor]:
        bins = self.layers(x.mean(1)).float().log_softmax(-1)
        shares = bins.exp()
        return {
            "value": (shares * self.points).sum(1),
            "evaluation": (shares * self.evaluations).sum(1),
            "evaluation_bins": bins,
        }


class PliesLeft(nn.Module):
    """How many plies the game will go on, the next one included: [B, L, D] -> `plies_left` [B], and its
    logarithm, by which it is learnt: a ply more or less is much at the end and nothing in the opening."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = mlp(width, width, 1)

    def forward(self, x: Tensor, streams: Streams) -> dict[str, Tensor]:
        logarithm = self.layers(x.mean(1))[:, 0].float()
        return {"plies_left": logarithm.exp(), "plies_left_log": logarithm}
