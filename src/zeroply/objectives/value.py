"""The game's result as a soft label of a binary classification."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from zeroply.games import Rows

SUREST = 1e-7
"""Nearer to 0 or 1 than this no value counts as: float32 tells no more, and a logarithm must stay finite."""


class ResultCrossEntropy:
    """Binary cross-entropy in nats between `value` and the mover's points: 1 for a win, ½ for a draw, 0 for a
    loss. Games without a result do not count."""

    reads = ("outcome",)

    def __call__(self, out: Mapping[str, Tensor], rows: Rows) -> Tensor:
        return _mean(cross_entropy(out["value"], rows["outcome"]), rows["outcome"])

    def counted(self, rows: Rows) -> Tensor:
        known: Tensor = (rows["outcome"] >= 0).sum()
        return known

    def least(self, rows: Rows) -> Tensor:
        """A draw is half a win: even who knows of it is left with ln 2."""
        return _mean(cross_entropy(points(rows["outcome"]), rows["outcome"]), rows["outcome"])


def points(outcome: Tensor) -> Tensor:
    """[B] 0 win, 1 draw, 2 loss -> 1, ½, 0."""
    return 1 - outcome.float() / 2


def cross_entropy(value: Tensor, outcome: Tensor) -> Tensor:
    """[B]. Spelled out, because torch refuses its own under mixed precision."""
    value, label = value.clamp(SUREST, 1 - SUREST), points(outcome)
    return -(label * value.log() + (1 - label) * (1 - value).log())


def _mean(losses: Tensor, outcome: Tensor) -> Tensor:
    known = outcome >= 0
    return torch.where(known, losses, 0.0).sum() / known.sum().clamp(min=1)
