"""Loss terms, and their weighted sum by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import torch
from torch import Tensor

from zeroply.games import Rows


class Term(Protocol):
    """One loss: the mean over a batch, as a scalar."""

    @property
    def reads(self) -> tuple[str, ...]:
        """The labels that it looks at: columns of rows beside the state of a position."""
        ...

    def __call__(self, out: Mapping[str, Tensor], rows: Rows) -> Tensor: ...

    def counted(self, rows: Rows) -> Tensor:
        """How many labels that is the mean of; rows may lack theirs, or have several."""
        ...

    def least(self, rows: Rows) -> Tensor:
        """What even a net that knew the labels could not go below: their own entropy."""
        ...


class Measure(Protocol):
    """A number worth watching that nothing is learned by: the mean over a batch, as a scalar."""

    def __call__(self, out: Mapping[str, Tensor], rows: Rows) -> Tensor: ...


class OutcomeNLL:
    """How surprising the game's result was, in nats; games without a result do not count."""

    reads = ("outcome",)

    def __call__(self, out: Mapping[str, Tensor], rows: Rows) -> Tensor:
        outcome = rows["outcome"].long()
        known = outcome >= 0
        nll = -out["wdl"].gather(1, outcome.clamp(min=0)[:, None])[:, 0]
        mean: Tensor = (nll * known).sum() / known.sum().clamp(min=1)
        return mean

    def counted(self, rows: Rows) -> Tensor:
        known: Tensor = (rows["outcome"] >= 0).sum()
        return known

    def least(self, rows: Rows) -> Tensor:
        return torch.zeros(())


class Terms:
    """`Terms(policy=(1.0, PolicyNLL()), …)`: each term by name; the loss is their weighted sum."""

    def __init__(self, **terms: tuple[float, Term]) -> None:
        self._terms = terms

    @property
    def weights(self) -> dict[str, float]:
        return {name: weight for name, (weight, _) in self._terms.items()}

    @property
    def reads(self) -> frozenset[str]:
        """The labels that any term looks at."""
        return frozenset(name for _, term in self._terms.values() for name in term.reads)

    def counted(self, rows: Rows) -> dict[str, Tensor]:
        """For each term by name, how many labels it is the mean of."""
        return {name: term.counted(rows) for name, (_, term) in self._terms.items()}

    def least(self, rows: Rows) -> dict[str, Tensor]:
        """For each term by name, the least that it can be."""
        return {name: term.least(rows) for name, (_, term) in self._terms.items()}

    def __call__(self, out: Mapping[str, Tensor], rows: Rows) -> tuple[Tensor, dict[str, Tensor]]:
        """The loss, and each term before weighting."""
        values = {name: term(out, rows) for name, (_, term) in self._terms.items()}
        return self.total(values), values

    def total(self, values: Mapping[str, Tensor]) -> Tensor:
        """The loss that the terms' values make."""
        weighted = [weight * values[name] for name, (weight, _) in self._terms.items()]
        return sum(weighted[1:], weighted[0])
