"""Attention with a bias over boards, as one GPU kernel forth and one back.

A board has so few squares that all logits of a head fit into the registers of one block of threads. So they,
which are larger than all else in a block of the net, never go through memory; queries, keys and values are
read where the linear layer left them, and nothing but them is kept for the way back.

Shapes: B batch, L tokens, H heads, E width of a head.
"""

from __future__ import annotations

import math
from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

LONGEST = 128
"""Tokens whose logits fit into registers."""
ITEMS = 32
"""Positions that one program goes through where all share a bias: it is read, and its gradient written, once
for all of them."""


@triton.jit
def _first(heads, items: tl.constexpr, shared: tl.constexpr):
    """Where a program begins. For a bias that all positions share, one takes some positions and one head of
    them; for others, one position and some heads."""
    program = tl.program_id(0)
    if shared:
        position = (program // heads) * items
        head = program % heads
    else:
        position = program // (heads // items)
        head = (program % (heads // items)) * items
    return position.to(tl.int64), head


@triton.jit
def _probabilities(q, k, bias, scale, columns, length: tl.constexpr):
    logits = tl.dot(q, tl.trans(k)) * scale + bias
    logits = tl.where(columns < length, logits, -float("inf"))
    weights = tl.exp(logits - tl.max(logits, 1)[:, None])
    return weights / tl.sum(weights, 1)[:, None]


@triton.jit
def _forth(
    qkv, bias, out, batch, heads, scale, bias_batch, bias_head,
    length: tl.constexpr, width: tl.constexpr, items: tl.constexpr, shared: tl.constexpr,
    tile: tl.constexpr, tile_width: tl.constexpr,
):  # fmt: skip
    position, head = _first(heads, items, shared)
    rows, columns = tl.arange(0, tile)[:, None], tl.arange(0, tile)[None, :]
    features = tl.arange(0, tile_width)[None, :]
    pairs = (rows < length) & (columns < length)
    b = tl.load(bias + position * bias_batch + head * bias_head + rows * length + columns, pairs, 0.0)
    b = b.to(tl.float32)
    for _ in range(items):
        here = (rows < tl.where(position < batch, length, 0)) & (features < width)
        token = (position * length + rows) * heads * width
        at = qkv + 3 * token + head * width + features
        q = tl.load(at, here, 0.0)
        k = tl.load(at + heads * width, here, 0.0)
        v = tl.load(at + 2 * heads * width, here, 0.0)
        p = _probabilities(q, k, b, scale, columns, length)
        tl.store(out + token + head * width + features, tl.dot(p.to(v.dtype), v), here)
        if shared:
            position += 1
        else:
            head += 1


@triton.jit
def _back(
    qkv, bias, grad, of_qkv, of_bias, batch, heads, scale, bias_batch, bias_head,
    length: tl.constexpr, width: tl.constexpr, items: tl.constexpr, shared: tl.constexpr,
    tile: tl.constexpr, tile_width: tl.constexpr, learned: tl.constexpr,
):  # fmt: skip
    position, head = _first(heads, items, shared)
    rows, columns = tl.arange(0, tile)[:, None], tl.arange(0, tile)[None, :]
    features = tl.arange(0, tile_width)[None, :]
    pairs = (rows < length) & (columns < length)
    b = tl.load(bias + position * bias_batch + head * bias_head + rows * length + columns, pairs, 0.0)
    b = b.to(tl.float32)
    of_b = tl.zeros((tile, tile), tl.float32)
    for _ in range(items):
        here = (rows < tl.where(position < batch, length, 0)) & (features < width)
        token = (position * length + rows) * heads * width
        at = 3 * token + head * width + features
        q = tl.load(qkv + at, here, 0.0)
        k = tl.load(qkv + at + heads * width, here, 0.0)
        v = tl.load(qkv + at + 2 * heads * width, here, 0.0)
        g = tl.load(grad + token + head * width + features, here, 0.0)
        p = _probabilities(q, k, b, scale, columns, length)
        of_p = tl.dot(g, tl.trans(v))
        of_logits = p * (of_p - tl.sum(p * of_p, 1)[:, None])
        if learned:
            of_b += of_logits
        scaled = (of_logits * scale).to(v.dtype)
        tl.store(of_qkv + at, tl.dot(scaled, k), here)
        tl.store(of_qkv + at + heads * width, tl.dot(tl.trans(scaled), q), here)
        tl.store(of_qkv + at + 2 * heads * width, tl.dot(tl.trans(p.to(v.dtype)), g), here)
        if shared:
            position += 1
        else:
            head += 1
    if learned:
        to = of_bias + tl.program_id(0).to(tl.int64) * length * length + rows * length + columns
        tl.store(to, of_b, pairs)


@torch.library.custom_op("zeroply::board_attention", mutates_args=())
def board_attention(qkv: Tensor, bias: Tensor, heads: int) -> Tensor:
    """[B, L, 3 * H * E] queries, keys and values of all heads, and what is added to the logits, [B, H, L, L],
    with 1 for B or H where all share it -> [B, L, H * E]."""
    qkv, bias = qkv.contiguous(), bias.contiguous()
    out = qkv.new_empty(*qkv.shape[:2], qkv.shape[2] // 3)
    programs, settings = _settings(qkv, bias, heads)
    _forth[programs,](qkv, bias, out, **settings)
    return out


@torch.library.custom_op("zeroply::board_attention_back", mutates_args=())
def _board_attention_back(
    qkv: Tensor, bias: Tensor, grad: Tensor, heads: int, learned: bool
) -> tuple[Tensor, Tensor]:
    """The gradients of `qkv` and, where it is learned, of `bias`."""
    qkv, bias, grad = qkv.contiguous(), bias.contiguous(), grad.contiguous()
    programs, settings = _settings(qkv, bias, heads)
    shared, length, of_qkv = bias.shape[0] == 1, qkv.shape[1], torch.empty_like(qkv)
    parts = bias.new_empty(
        programs if learned else 0, length, length, dtype=torch.float32 if shared else bias.dtype
    )
    _back[programs,](qkv, bias, grad, of_qkv, parts, **settings, learned=learned)
    if not learned:
        return of_qkv, torch.zeros_like(bias)
    if shared:  # each program has summed up some positions, and heads may share it too
        parts = parts.view(-1, heads, length, length).sum(0, keepdim=True)
        parts = parts.sum_to_size(bias.shape).to(bias.dtype)
    return of_qkv, parts.view(bias.shape)


def _settings(qkv: Tensor, bias: Tensor, heads: int) -> tuple[int, dict[str, Any]]:
    """How many programs, and what each is told."""
    batch, length, width = qkv.shape[0], qkv.shape[1], qkv.shape[2] // 3 // heads
    shared = bias.shape[0] == 1
    items = ITEMS if shared else heads // bias.shape[1]
    tile = max(16, triton.next_power_of_2(length))
    return math.ceil(batch / items) * heads if shared else batch * heads // items, {
        "batch": batch,
        "heads": heads,
        "scale": width**-0.5,
        "bias_batch": 0 if shared else bias.stride(0),
        "bias_head": 0 if bias.shape[1] == 1 else bias.stride(1),
        "length": length,
        "width": width,
        "items": items,
        "shared": shared,
        "tile": tile,
        "tile_width": max(16, triton.next_power_of_2(width)),
        "num_warps": 4 if tile <= 64 else 16,
    }


@board_attention.register_fake
def _(qkv: Tensor, bias: Tensor, heads: int) -> Tensor:
    return qkv.new_empty(*qkv.shape[:2], qkv.shape[2] // 3)


@_board_attention_back.register_fake
def _(qkv: Tensor, bias: Tensor, grad: Tensor, heads: int, learned: bool) -> tuple[Tensor, Tensor]:
    return torch.empty_like(qkv), torch.empty_like(bias)


def _keep(ctx: Any, inputs: tuple[Tensor, Tensor, int], output: Tensor) -> None:
    qkv, bias, ctx.heads = inputs
    ctx.save_for_backward(qkv, bias)


def _gradients(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor | None, None]:
    qkv, bias = ctx.saved_tensors
    learned = ctx.needs_input_grad[1]
    of_qkv, of_bias = _board_attention_back(qkv, bias, grad, ctx.heads, learned)
    return of_qkv, of_bias if learned else None, None


board_attention.register_autograd(_gradients, setup_context=_keep)
