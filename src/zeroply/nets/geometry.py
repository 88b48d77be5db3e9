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
