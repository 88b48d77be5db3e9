"""Random numbers of a step: they follow from the run's seed and the step alone, and are the same for a row,
however many processes share the batch."""

from __future__ import annotations

from enum import IntEnum, auto

import numpy as np
import torch
from torch import Tensor

from zeroply.corpus.sample.portion import Portion


class Chance(IntEnum):
    """What is drawn, each by itself: what is flipped is not what is hidden."""

    HIDDEN = auto()
    FLIPPED = auto()
    WITHIN_THE_NET = auto()


def seed_for(chance: Chance, seed: int, step: int, rank: int = 0) -> int:
    """For a generator. Of a seed for the CPU torch takes the last 32 bits only, so all is mixed into them."""
    return int(np.random.SeedSequence([chance, seed, step, rank]).generate_state(1, np.uint64)[0])


def drawn(rows: int, generator: torch.Generator, portion: Portion) -> Tensor:
    """[rows] from 0 to 1, where the generator lives: what the whole batch draws, cut to a portion of it.

    Batches that are learned can be divided by the number of portions.
    """
    low, high = portion.bounds(rows * portion.of)
    return torch.rand(rows * portion.of, device=generator.device, generator=generator)[low:high]
