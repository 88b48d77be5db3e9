"""How far a net is from the length of the game to come."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from zeroply.games import Rows


class PliesLeftError:
    """The squared error of `plies_left_log`; games without a result do not count."""

    reads = ("plies_left",)

    def __call__(self, out: Mapping[str, Tensor], rows: Rows) -> Tensor:
        left = rows["plies_left"]
        known = left > 0
        error = (out["plies_left_log"] - left.clamp(min=1).float().log()) ** 2
        mean: Tensor = torch.where(known, error, 0.0).sum() / known.sum().clamp(min=1)
        return mean

    def counted(self, rows: Rows) -> Tensor:
        known: Tensor = (rows["plies_left"] > 0).sum()
        return known

    def least(self, rows: Rows) -> Tensor:
        return torch.zeros(())
