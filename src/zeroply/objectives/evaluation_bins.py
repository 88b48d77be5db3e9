"""An engine's evaluation as a histogram in place of one number.

After "Stop Regressing" (Farebrother et al., 2024), HL-Gauss: the label is not one bin but a bell over a few,
which keeps the order of bins and makes a regression as easy to learn as a classification.

Bins lie close where a little more wins a little more, and a quarter of them go evenly from the worst
evaluation to the best: by points alone all mates would share a bin with every won position.

Shapes: B batch, K bins.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor

from zeroply.games import Rows
from zeroply.games.arrays import namespace
from zeroply.games.base import Array
from zeroply.objectives.evaluation_scale import CENTIPAWNS, HIGHEST, known, scaled

SLOPE = 0.00368208 * CENTIPAWNS
"""Lichess's: of c centipawns people make 1 / (1 + e^(-0.00368208 c)) points on average; here for evaluations
on the scale of the output `evaluation`."""
EVENLY = 0.25
"""Share of the bins that go by the evaluation itself; the others go by its points."""
FINE = 2**16
"""Steps of the scale by which it is asked what lies in a bin's middle."""
SPREAD = 0.75
"""Of the bell, in bins: the paper's."""


def points(evaluation: Array) -> Array:
    """[B] evaluations on the scale of the output -> [B] points of the mover, 0 … 1."""
    return 1 / (1 + namespace(evaluation).exp(-SLOPE * evaluation))


def place(evaluation: Array) -> Array:
    """[B] evaluations on the scale of the output -> [B] where they lie among the bins, 0 … 1."""
    return (1 - EVENLY) * points(evaluation) + EVENLY * (evaluation + HIGHEST) / (2 * HIGHEST)


def middles(bins: int) -> tuple[Tensor, Tensor]:
    """[K] the evaluation in the middle of each bin, and the points it is worth."""
    scale = np.linspace(-HIGHEST, HIGHEST, FINE + 1)
    evaluations = np.interp((np.arange(bins) + 0.5) / bins, place(scale), scale)
    return torch.tensor(evaluations).float(), torch.tensor(points(evaluations)).float()


class EvaluationHistogram:
    """Cross-entropy in nats between `evaluation_bins` and the bell around the engine's evaluation; positions
    without one do not count."""

    reads = ("evaluation",)

    def __init__(self, bins: int) -> None:
        self._bins = bins

    def __call__(self, out: Mapping[str, Tensor], rows: Rows) -> Tensor:
        return self._mean(-(self.targets(rows) * out["evaluation_bins"]).sum(1), rows)

    def targets(self, rows: Rows) -> Tensor:
        """[B, K] shares of the bins; they sum to 1, so that a bell at the edge is cut and not smaller."""
        among = place(scaled(rows["evaluation"]))
        edges = torch.arange(self._bins + 1, device=among.device) / self._bins
        below = torch.erf((edges - among[:, None]) * (self._bins / SPREAD / math.sqrt(2)))
        shares = below.diff(dim=1)
        return shares / shares.sum(1, keepdim=True)

    def counted(self, rows: Rows) -> Tensor:
        count: Tensor = known(rows["evaluation"]).sum()
        return count

    def least(self, rows: Rows) -> Tensor:
        return self._mean(torch.special.entr(self.targets(rows)).sum(1), rows)

    def _mean(self, losses: Tensor, rows: Rows) -> Tensor:
        counts = known(rows["evaluation"])
        mean: Tensor = (losses * counts).sum() / counts.sum().clamp(min=1)
        return mean
