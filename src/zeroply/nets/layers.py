"""Small parts of which trunks, towers and heads are made.

Shapes: B batch, L tokens, D width.
"""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn


def gelu() -> nn.Module:
    return nn.GELU(approximate="tanh")


def mlp(*widths: int) -> nn.Sequential:
    """Linear layers from width to width, a GELU between any two."""
    first, *others = [nn.Linear(here, there) for here, there in pairwise(widths)]
    return nn.Sequential(first, *(part for layer in others for part in (gelu(), layer)))


class OneToken(nn.Module):
    """[B, L, D] -> [B, D]: the one at this place, which has gathered what it needs from the others."""

    def __init__(self, place: int) -> None:
        super().__init__()
        self.place = place

    def forward(self, x: Tensor) -> Tensor:
        return x[:, self.place]


class AllTokens(nn.Module):
    """[B, L, D] -> [B, out]: one linear layer over all tokens at once.

    Adam moves every weight by about the rate, so a sum of L times as many products would move L times as far
    as that of other layers, and throw the net about. Here inputs are divided by L, for which weights begin so
    much larger: it starts like any linear layer, and learns like one over a single token.
    """

    def __init__(self, tokens: int, width: int, out: int) -> None:
        super().__init__()
        self.tokens = tokens
        self.linear = nn.Linear(tokens * width, out)
        with torch.no_grad():
            self.linear.weight.mul_(tokens)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.linear(x.flatten(1) / self.tokens)
        return out
