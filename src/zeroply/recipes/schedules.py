"""Learning rates as shares of the highest: what step of how many, and how many steps an epoch has."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class Schedule(Protocol):
    def __call__(self, step: int, steps: int, epoch: int) -> float:
        """The share at step 0 … steps - 1 of a run whose epochs have `epoch` steps."""
        ...


@dataclass(frozen=True)
class Constant:
    """Always the highest rate."""

    def __call__(self, step: int, steps: int, epoch: int) -> float:
        return 1.0


@dataclass(frozen=True, kw_only=True)
class Warmup(ABC):
    """Up over `warmup` steps, or over fewer where a run is too short for that."""

    warmup: int

    @abstractmethod
    def rising(self, steps: int) -> int:
        """Steps over which the rate of a run of `steps` rises."""


@dataclass(frozen=True, kw_only=True)
class WarmupStableDecay(Warmup):
    """Up over `warmup` steps, level, then down to zero over the last `decay` share of the steps. The warm-up
    is over when these begin, or with half of the run where they take more than that: what has begun with
    trained weights must not meet the whole rate at once."""

    decay: float

    def rising(self, steps: int) -> int:
        return max(1, min(self.warmup, max(steps - self._falling(steps), steps // 2)))

    def __call__(self, step: int, steps: int, epoch: int) -> float:
        up, down = (step + 1) / self.rising(steps), (steps - step) / self._falling(steps)
        return max(0.0, min(up, 1.0, down))

    def _falling(self, steps: int) -> int:
        return max(1, round(self.decay * steps))


@dataclass(frozen=True, kw_only=True)
class WarmupCosine(Warmup):
    """Up over `warmup` steps, in a short run over half of it, then down half a cosine wave to zero."""

    def rising(self, steps: int) -> int:
        return max(1, min(self.warmup, steps // 2))

    def __call__(self, step: int, steps: int, epoch: int) -> float:
        rising = self.rising(steps)
        if step < rising:
            return (step + 1) / rising
        passed = min(1.0, (step - rising) / max(1, steps - rising))
        return (1 + math.cos(math.pi * passed)) / 2


@dataclass(frozen=True, kw_only=True)
class EpochDecay:
    """Times `factor` after every `epochs` epochs."""

    factor: float
    epochs: int

    def __call__(self, step: int, steps: int, epoch: int) -> float:
        return self.factor ** (step // (epoch * self.epochs))


@dataclass(frozen=True)
class Stairs:
    """One share after the other, each for as long."""

    shares: Sequence[float]

    def __call__(self, step: int, steps: int, epoch: int) -> float:
        return self.shares[min(step * len(self.shares) // steps, len(self.shares) - 1)]
