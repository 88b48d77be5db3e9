"""Means over many batches, or over a batch that processes share, by how much each has to say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import torch
from torch import Tensor

from zeroply.corpus.sample.portion import Portion
from zeroply.training.ranks import from_all


class Tally:
    """Of many batches, summed where they are: reading a number waits for it. Begins with nothing, or with
    what another had `state()`."""

    def __init__(self, state: Mapping[str, Sequence[float]] | None = None) -> None:
        state = state or {}
        self._names = list(state)
        self._sums = torch.tensor(list(state.values()), dtype=torch.float64).view(-1, 2).T
        """[2, names] each name's sum, and of how many things it is."""

    def add(self, means: Mapping[str, Tensor], counts: Mapping[str, Tensor]) -> None:
        """Means of one batch by name, each over so many things; a mean over nothing does not count."""
        sums = _sums(means, counts)
        self._sums = self._sums.to(sums.device) + sums if self._names else sums
        self._names = list(means)

    def state(self) -> dict[str, list[float]]:
        """By name, as JSON has it: a sum, and of how many things."""
        return dict(zip(self._names, self._sums.T.tolist(), strict=True))

    def means(self) -> dict[str, float]:
        """Without those of nothing: 0 would look like a loss of nothing."""
        return {name: total / count for name, (total, count) in self.state().items() if count}

    def of_all(self) -> Tally:
        """What all processes have added, of which some may have seen nothing."""
        return Tally(_summed((1.0, said) for said in from_all(self.state())))

    @classmethod
    def together(cls, weighted: Iterable[tuple[float, Tally]]) -> Tally:
        """Of several one, in which what each has seen counts by its weight."""
        return cls(_summed((weight, tally.state()) for weight, tally in weighted))


def _summed(weighted: Iterable[tuple[float, Mapping[str, Sequence[float]]]]) -> dict[str, list[float]]:
    totals: dict[str, list[float]] = {}
    for weight, state in weighted:
        for name, (total, count) in state.items():
            before = totals.get(name, [0.0, 0.0])
            totals[name] = [before[0] + weight * total, before[1] + weight * count]
    return totals


def weighted_sum(means: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The loss that terms make, those without a mean left out."""
    return sum(weight * means[name] for name, weight in weights.items() if name in means)


def of_the_whole(
    means: Mapping[str, Tensor], counts: Mapping[str, Tensor], portion: Portion
) -> tuple[dict[str, Tensor], dict[str, Tensor], dict[str, Tensor]]:
    """Means over a portion of a batch and their counts -> those of all of it, and factors on the portion's
    own means: the plain mean of the processes' means, which their gradients are given, is then that of the
    whole batch."""
    sums = _sums(means, counts)
    own = sums[1].clone()
    torch.distributed.all_reduce(sums)
    total, every = sums[0], sums[1].clamp(min=1)
    return (
        dict(zip(means, (total / every).float(), strict=True)),
        dict(zip(means, sums[1], strict=True)),
        dict(zip(means, (portion.of * own / every).float(), strict=True)),
    )


def _sums(means: Mapping[str, Tensor], counts: Mapping[str, Tensor]) -> Tensor:
    """[2, names] means times counts, and counts, where the means are."""
    own = torch.stack([mean.detach() for mean in means.values()]).double()
    # Some counts are the host's own numbers; sent like this they do not wait for the device.
    count = torch.stack([counts[name].to(own.device, non_blocking=True) for name in means]).double()
    return torch.stack([torch.where(count > 0, own * count, 0.0), count])
