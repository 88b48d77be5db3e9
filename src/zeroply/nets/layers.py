"""Small parts of which trunks, towers and heads are made.

Shapes: B batch, L tokens, D width.
"""

from __future__ import annotations

from itertools import pairwise

from torch import Tensor, nn


def gelu() -> nn.Module:
    return nn.GELU(approximate="tanh")


def mlp(*widths: int) -> nn.Sequential:
    """Linear layers from width to width, a GELU between any two."""
    first, *others = [nn.Linear(here, there) for here, there in pairwise(widths)]
    return nn.Sequential(first, *(part for layer in others for part in (gelu(), layer)))


class AllTokens(nn.Module):
    """[B, L, D] -> [B, L * D]: all tokens end to end, each as a share of L.

    AdamW moves every weight equally far, so a layer on L tokens as they are moves L times as far in a step as
    one on a single token, and most of its GELUs soon answer zero.
    """

    def forward(self, x: Tensor) -> Tensor:
        return x.flatten(1) / x.shape[1]


class OneToken(nn.Module):
    """[B, L, D] -> [B, D]: the one at this place, which has gathered what it needs from the others."""

    def __init__(self, place: int) -> None:
        super().__init__()
        self.place = place

    def forward(self, x: Tensor) -> Tensor:
        return x[:, self.place]
