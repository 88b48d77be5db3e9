"""The game's result as a soft label of a binary classification."""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from zeroply.games import Rows

DRAW = 1


class ResultCrossEntropy:
    """Binary cross-entropy in nats between `value`, of which it reads the logit, and the mover's points: 1
    for a win, ½ for a draw, 0 for a loss. Games without a result do not count."""

    reads = ("outcome",)

    def __call__(self, out: Mapping[str, Tensor], rows: Rows) -> Tensor:
        points = 1 - rows["outcome"].float() / 2
        losses = binary_cross_entropy_with_logits(out["value_logit"], points, reduction="none")
        return _mean(losses, rows["outcome"])

    def counted(self, rows: Rows) -> Tensor:
        known: Tensor = (rows["outcome"] >= 0).sum()
        return known

    def least(self, rows: Rows) -> Tensor:
        """A draw is half a win: even who knows of it is left with ln 2."""
        return _mean(math.log(2) * (rows["outcome"] == DRAW), rows["outcome"])


def _mean(losses: Tensor, outcome: Tensor) -> Tensor:
    known = outcome >= 0
    return torch.where(known, losses, 0.0).sum() / known.sum().clamp(min=1)
