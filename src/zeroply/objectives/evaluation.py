"""How far a net's evaluation is from an engine's."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from zeroply.games import Rows
from zeroply.objectives.evaluation_scale import known, scaled


class EvaluationMSE:
    """The squared error of the output `evaluation` [B], on its scale; positions without one do not count."""

    reads = ("evaluation",)

    def __call__(self, out: Mapping[str, Tensor], rows: Rows) -> Tensor:
        counts = known(rows["evaluation"])
        error = (out["evaluation"] - scaled(rows["evaluation"])) ** 2
        mean: Tensor = (error * counts).sum() / counts.sum().clamp(min=1)
        return mean

    def counted(self, rows: Rows) -> Tensor:
        count: Tensor = known(rows["evaluation"]).sum()
        return count

    def least(self, rows: Rows) -> Tensor:
        return torch.zeros(())
