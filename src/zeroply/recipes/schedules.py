"""Learning rates as shares of the highest: what step of how many, and how many steps an epoch has."""

from __future__ import annotations

import math
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
class WarmupStableDecay:
    """Up over `warmup` steps, level, then down to zero over the last `decay` share of the steps."""

    warmup: int
    decay: float

    def __call__(self, step: int, steps: int, epoch: int) -> float:
        falling = max(1, round(self.decay * steps))
        rising = max(1, min(self.warmup, steps - falling))
        return max(0.0, min((step + 1) / rising, 1.0, (steps - step) / falling))


@dataclass(frozen=True, kw_only=True)
class WarmupCosine:
    """Up over `warmup` steps, in a short run over half of it, then down half a cosine wave to zero."""

    warmup: int

    def __call__(self, step: int, steps: int, epoch: int) -> float:
        rising = max(1, min(self.warmup, steps // 2))
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
