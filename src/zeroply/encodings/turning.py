"""The board turned for the mover: which half of a pair belongs to whom."""

from __future__ import annotations

import torch
from torch import Tensor


def swap_sides(sides: Tensor, turned: Tensor) -> Tensor:
    """[B, 2k], the halves of the first and the second player, exchanged where `turned` [B, 1]."""
    first, second = sides.chunk(2, 1)
    return torch.where(turned, torch.cat([second, first], 1), sides)
