"""Means over many batches, or over a batch that processes share, by how much each has to say."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from zeroply.corpus.sample.portion import Portion
from zeroply.training.ranks import from_all


class Tally:
    """Of many batches, summed where they are."""

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
        """Over the batches of all processes, of which some may have seen none."""
        own = {name: (float(total), float(self._counts[name])) for name, total in self._sums.items()}
        totals: dict[str, tuple[float, float]] = {}
        for said in from_all(own):
            for name, (total, count) in said.items():
                before = totals.get(name, (0.0, 0.0))
                totals[name] = before[0] + total, before[1] + count
        return {name: total / max(count, 1.0) for name, (total, count) in totals.items()}


def of_the_whole(
    means: Mapping[str, Tensor], counts: Mapping[str, Tensor], portion: Portion
) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Means over a portion of a batch -> those over all of it, and factors on the portion's own: the plain
    mean of the processes' means, which their gradients are given, is then that of the whole batch."""
    count = torch.stack([counts[name].to(mean.device).float() for name, mean in means.items()])
    own = torch.stack([mean.detach().float() for mean in means.values()])
    sums = torch.stack([torch.where(count > 0, own * count, 0.0), count])
    torch.distributed.all_reduce(sums)
    total, every = sums[0], sums[1].clamp(min=1)
    return (
        dict(zip(means, total / every, strict=True)),
        dict(zip(means, portion.of * count / every, strict=True)),
    )
