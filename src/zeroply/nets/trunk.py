"""A transformer over tokens, with an attention bias passed in as a part.

Shapes: B batch, L tokens, D width.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from torch import Tensor, nn

from zeroply.errors import RecipeError
from zeroply.nets.attention import Attention
from zeroply.nets.layers import mlp


class Block(nn.Module):
    """Attention, then a two-layer network for each token, both on normalised input and added back."""

    def __init__(self, width: int, heads: int, inner: int, bias: nn.Module | None) -> None:
        super().__init__()
        self.before_attention, self.before_feed = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, heads, bias)
        self.feed = mlp(width, inner, width)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        x = x + self.attention(self.before_attention(x), mask)
        fed: Tensor = self.feed(self.before_feed(x))
        return x + fed


class Trunk(nn.Module):
    """`depth` blocks; `bias()`, where there is one, makes the attention bias of each, so that blocks do not
    share one."""

    def __init__(
        self,
        *,
        width: int,
        depth: int,
        heads: int,
        inner: int,
        bias: Callable[[], nn.Module] | None = None,
    ) -> None:
        super().__init__()
        if not heads or not width or width % heads:
            raise RecipeError(f"width={width} cannot be shared by heads={heads}. Choose a multiple")
        self.blocks = nn.ModuleList([Block(width, heads, inner, bias and bias()) for _ in range(depth)])
        self.norm = nn.LayerNorm(width)
        self.apply(_initialise)
        for name, weight in self.named_parameters():
            if name.endswith(("attention.out.weight", "feed.2.weight")):
                # What is added back starts small, so that a deep sum starts as large as a shallow one.
                nn.init.trunc_normal_(weight, std=0.02 / math.sqrt(2 * depth))

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """[B, L, D], and a mask (true: seen) that spreads to [B, heads, L, L] -> [B, L, D], normalised."""
        for block in self.blocks:
            x = block(x, mask)
        normed: Tensor = self.norm(x)
        return normed


def _initialise(module: nn.Module) -> None:
    if isinstance(module, nn.Linear):
        nn.init.trunc_normal_(module.weight, std=0.02)
        nn.init.zeros_(module.bias)
