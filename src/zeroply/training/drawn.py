"""Random numbers for the rows of a batch: the same for a row, however many processes share the batch."""

from __future__ import annotations

import torch
from torch import Tensor

from zeroply.corpus.sample.portion import Portion


def drawn(rows: int, generator: torch.Generator, portion: Portion) -> Tensor:
    """[rows] from 0 to 1, where the generator lives: what the whole batch draws, cut to a portion of it.

    Batches that are learned can be divided by the number of portions.
    """
    low, high = portion.bounds(rows * portion.of)
    return torch.rand(rows * portion.of, device=generator.device, generator=generator)[low:high]
