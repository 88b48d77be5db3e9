"""Attention with a bias over boards, as one GPU kernel forth and one back.

A board has so few squares that half of a head's logits, or all, fit into the registers of one group of
threads. So they, which are larger than all else in a block of the net, never go through memory; queries, keys
and values are read where the linear layer left them, and nothing but them is kept for the way back.

Shapes: B batch, L tokens, H heads, E width of a head.
"""

from __future__ import annotations

import math
from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

BLOCK = 64
"""Rows of logits that are in registers at a time."""
LONGEST = 2 * BLOCK
"""Tokens at the most."""
ITEMS = 32
"""Positions that one program goes through where all share a bias: its gradient is written once for all of
them."""


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
    block: tl.constexpr, blocks: tl.constexpr, tile_width: tl.constexpr,
):  # fmt: skip
    position, head = _first(heads, items, shared)
    bias += position * bias_batch + head * bias_head
    tokens, columns = tl.arange(0, block * blocks)[:, None], tl.arange(0, block * blocks)[None, :]
    features = tl.arange(0, tile_width)[None, :]
    for _ in range(items):
        there = tl.where(position < batch, length, 0)
        first = position * length * heads * width
        at = qkv + 3 * first + head * width + 3 * tokens * heads * width + features
        inside = (tokens < there) & (features < width)
        k = tl.load(at + heads * width, inside, 0.0)
        v = tl.load(at + 2 * heads * width, inside, 0.0)
        for part in tl.static_range(blocks):
            rows = part * block + tl.arange(0, block)[:, None]
            here = (rows < there) & (features < width)
            q = tl.load(qkv + 3 * first + head * width + 3 * rows * heads * width + features, here, 0.0)
            b = tl.load(bias + rows * length + columns, (rows < length) & (columns < length), 0.0)
            p = _probabilities(q, k, b.to(tl.float32), scale, columns, length)
            to = out + first + head * width + rows * heads * width + features
            tl.store(to, tl.dot(p.to(v.dtype), v), here)
        if shared:
            position += 1
        else:
            head += 1


@triton.jit
def _rows_back(
    qkv, bias, grad, of_qkv, k, v, first, head, there, rows, columns, features, heads, scale,
    length: tl.constexpr, width: tl.constexpr,
):  # fmt: skip
    """The way back through some rows of the logits: what they say of the keys, the values and the logits."""
    here = (rows < there) & (features < width)
    at = 3 * first + head * width + 3 * rows * heads * width + features
    q = tl.load(qkv + at, here, 0.0)
    g = tl.load(grad + first + head * width + rows * heads * width + features, here, 0.0)
    b = tl.load(bias + rows * length + columns, (rows < length) & (columns < length), 0.0)
    p = _probabilities(q, k, b.to(tl.float32), scale, columns, length)
    of_p = tl.dot(g, tl.trans(v))
    of_logits = p * (of_p - tl.sum(p * of_p, 1)[:, None])
    scaled = (of_logits * scale).to(k.dtype)
    tl.store(of_qkv + at, tl.dot(scaled, k), here)
    return tl.dot(tl.trans(scaled), q), tl.dot(tl.trans(p.to(v.dtype)), g), of_logits


@triton.jit
def _back(
    qkv, bias, grad, of_qkv, of_bias, batch, heads, scale, bias_batch, bias_head,
    length: tl.constexpr, width: tl.constexpr, items: tl.constexpr, shared: tl.constexpr,
    block: tl.constexpr, blocks: tl.constexpr, tile_width: tl.constexpr, learned: tl.constexpr,
):  # fmt: skip
    position, head = _first(heads, items, shared)
    bias += position * bias_batch + head * bias_head
    tokens, columns = tl.arange(0, block * blocks)[:, None], tl.arange(0, block * blocks)[None, :]
    features, rows = tl.arange(0, tile_width)[None, :], tl.arange(0, block)[:, None]
    of_upper = tl.zeros((block, block * blocks), tl.float32)
    of_lower = tl.zeros((block, block * blocks), tl.float32)
    for _ in range(items):
        there = tl.where(position < batch, length, 0)
        first = position * length * heads * width
        at = 3 * first + head * width + 3 * tokens * heads * width + features
        inside = (tokens < there) & (features < width)
        k = tl.load(qkv + at + heads * width, inside, 0.0)
        v = tl.load(qkv + at + 2 * heads * width, inside, 0.0)
        of_k, of_v, of_logits = _rows_back(
            qkv, bias, grad, of_qkv, k, v, first, head, there, rows, columns, features, heads, scale,
            length, width,
        )  # fmt: skip
        if learned:
            of_upper += of_logits
        if blocks == 2:
            more_k, more_v, of_logits = _rows_back(
                qkv, bias, grad, of_qkv, k, v, first, head, there, block + rows, columns, features, heads,
                scale, length, width,
            )  # fmt: skip
            of_k += more_k
            of_v += more_v
            if learned:
                of_lower += of_logits
        tl.store(of_qkv + at + heads * width, of_k, inside)
        tl.store(of_qkv + at + 2 * heads * width, of_v, inside)
        if shared:
            position += 1
        else:
            head += 1
    if learned:
        of_bias += tl.program_id(0).to(tl.int64) * length * length
        tl.store(of_bias + rows * length + columns, of_upper, (rows < length) & (columns < length))
        if blocks == 2:
            rows += block
            tl.store(of_bias + rows * length + columns, of_lower, (rows < length) & (columns < length))


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
    return (
        math.ceil(batch / items) * heads if shared else batch * heads // items,
        {
            "batch": batch,
            "heads": heads,
            "scale": width**-0.5,
            "bias_batch": 0 if shared else bias.stride(0),
            "bias_head": 0 if bias.shape[1] == 1 else bias.stride(1),
            "length": length,
            "width": width,
            "items": items,
            "shared": shared,
            "block": min(BLOCK, tile),
            "blocks": max(1, tile // BLOCK),
            "tile_width": max(16, triton.next_power_of_2(width)),
            "num_warps": 4 if tile <= BLOCK else 8,
            "num_stages": 1,  # to load ahead takes memory that other programs need to run beside it
        },
    )


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
