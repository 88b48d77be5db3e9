"""Who looks at whom: the mixing of tokens, in the quickest way there is for a case.

Shapes: B batch, L tokens, D width, H heads.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

try:
    from zeroply.nets.board_attention import LONGEST, board_attention
except ImportError:  # triton comes only with the torch that is made for GPUs
    LONGEST = 0


class Attention(nn.Module):
    """Every token looks at every other that a mask, where there is one, lets it see; `bias`, a learned map,
    adds what it knows to the logits before the softmax."""

    def __init__(self, width: int, heads: int, bias: nn.Module | None) -> None:
        super().__init__()
        self.heads, self.bias = heads, bias
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """[B, L, D], and a mask (true: seen) that spreads to [B, H, L, L] -> [B, L, D]."""
        mixed = attend(self.qkv(x), self.heads, None if self.bias is None else self.bias(x), mask)
        out: Tensor = self.out(mixed)
        return out

    def looks(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """The same input -> [B, H, L, L] how much each token looks at each other."""
        q, k, _ = _by_head(self.qkv(x), self.heads)
        return _shares(q, k, None if self.bias is None else self.bias(x), mask)


def layers_of(net: nn.Module) -> list[tuple[Attention, tuple[int, ...]]]:
    """The attention of a net layer by layer, each with the tokens that are squares, as `Stream.squares` has
    them. What a part named `trunk` works on is made by the part beside it named `embed`."""
    found = list[tuple[Attention, tuple[int, ...]]]()
    for module in net.modules():
        trunk, embed = getattr(module, "trunk", nn.Identity()), getattr(module, "embed", None)
        squares = tuple(getattr(embed, "square_tokens", ()))
        found += [(layer, squares) for layer in trunk.modules() if isinstance(layer, Attention)]
    return found


def attend(qkv: Tensor, heads: int, bias: Tensor | None, mask: Tensor | None) -> Tensor:
    """[B, L, 3 * D] queries, keys, values; a bias and a mask that spread to [B, H, L, L] -> [B, L, D]."""
    batch, length, _ = qkv.shape
    # The kernel is for training, which is in bf16: a net that only answers, in float32, needs no compiler.
    if qkv.is_cuda and qkv.dtype == torch.bfloat16 and length <= LONGEST:
        one_map = _one_map(bias, mask, qkv)
        if one_map is not None:
            at_once: Tensor = board_attention(qkv, one_map, heads)
            return at_once
    q, k, v = _by_head(qkv, heads)
    if bias is None:
        mixed = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:  # spelled out: the fused kernels of torch are slow with a bias that wants a gradient
        mixed = _shares(q, k, bias, mask) @ v
    return mixed.transpose(1, 2).reshape(batch, length, -1)


def _by_head(qkv: Tensor, heads: int) -> Tensor:
    """[B, L, 3 * D] -> [3, B, H, L, D / H]."""
    batch, length, _ = qkv.shape
    return qkv.view(batch, length, 3, heads, -1).permute(2, 0, 3, 1, 4)


def _shares(q: Tensor, k: Tensor, bias: Tensor | None, mask: Tensor | None) -> Tensor:
    logits = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if bias is not None:
        logits = logits + bias.to(q.dtype)
    if mask is not None:
        logits = torch.where(mask, logits, -torch.inf)
    return logits.softmax(-1)


def _one_map(bias: Tensor | None, mask: Tensor | None, qkv: Tensor) -> Tensor | None:
    """What is added to the logits, where one map of four dimensions can say it all."""
    if mask is None:
        length = qkv.shape[1]
        return qkv.new_zeros(1, 1, length, length, dtype=torch.float32) if bias is None else bias
    if bias is not None or mask.dim() != 2:
        return None
    # [L, L]: nothing is added where a token is seen, and what is not seen has no chance.
    return torch.zeros_like(mask, dtype=torch.float32).masked_fill(~mask, -torch.inf)[None, None]
