"""Attention biases that know the board: which squares matter to each other before any piece is seen."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class StaticGeometry(nn.Module):
    """One learned number for each head and pair of tokens, the same in every position."""

    def __init__(self, heads: int, tokens: int) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(heads, tokens, tokens))

    def forward(self, x: Tensor) -> Tensor:
        """[B, L, D] -> [1, heads, L, L], added to the attention logits."""
        return self.bias[None]


class Together(nn.Module):
    """The sum of several biases, in the type of the last: give the one that is drawn for each position there.
    Under autocast it is half as wide as a static map's parameters, and it is as large as the batch."""

    def __init__(self, *biases: nn.Module) -> None:
        super().__init__()
        self.biases = nn.ModuleList(biases)

    def forward(self, x: Tensor) -> Tensor:
        *others, last = (bias(x) for bias in self.biases)
        total: Tensor = sum((other.to(last.dtype) for other in others), last)
        return total
