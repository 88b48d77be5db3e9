"""Means over many batches that count by how much each has to say, summed where the batches are."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor


class Tally:
    def __init__(self) -> None:
        self._sums: dict[str, Tensor] = {}
        self._counts: dict[str, Tensor] = {}

    def add(self, means: Mapping[str, Tensor], counts: Mapping[str, Tensor]) -> None:
        """Means of one batch by name, each over so many things; a mean over nothing does not count."""
        for name, mean in means.items():
            count = counts[name].to(mean.device)
            total = torch.where(count > 0, mean * count, 0.0)
            self._sums[name] = self._sums.get(name, torch.zeros_like(total)) + total
            self._counts[name] = self._counts.get(name, torch.zeros_like(count)) + count

    def means(self) -> dict[str, float]:
        return {name: float(total / self._counts[name].clamp(min=1)) for name, total in self._sums.items()}
