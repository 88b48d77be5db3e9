"""The kernels against plain attention, `python -m tests.nets.kernels`: on a GPU in bf16, as in training, and
on a bare machine too; with TRITON_INTERPRET=1 on a CPU, where triton cannot multiply in bf16."""

from __future__ import annotations

import os

import torch
from torch import Tensor

from zeroply.nets.attention import attend
from zeroply.nets.board_attention import ITEMS, board_attention

CASES = {
    "a bias of each head": (3, 64, 2, 32, (1, 2)),
    "more positions than one program takes": (ITEMS + 3, 9, 2, 16, (1, 2)),
    "heads of 64": (ITEMS + 3, 64, 2, 64, (1, 2)),
    "a map of each position": (2, 84, 4, 32, (2, 1)),
    "a map of each position and head": (2, 90, 3, 24, (2, 3)),
    "one map for all": (3, 9, 2, 16, (1, 1)),
    "a map of the only position": (1, 9, 2, 16, (1, 1)),
    "nothing": (3, 64, 3, 64, ()),
    "a mask": (3, 69, 2, 8, None),
}
"""Batch, tokens, heads, width of a head, and whose the bias is."""
ON_CPU, ON_GPU = {torch.float32: 1e-5, torch.float16: 0.00125}, {torch.bfloat16: 0.01}
"""By type, how far off a result may be, as a share of its own length: bf16 is eight times as coarse as
float16."""


def check(
    batch: int, tokens: int, heads: int, width: int, whose: tuple[int, ...] | None, most: float
) -> None:
    """In the default type; a static bias stays in float32, as training has it."""
    qkv = torch.randn(batch, tokens, 3 * heads * width, requires_grad=True)
    if whose is None:
        bias = torch.full((1, 1, tokens, tokens), -torch.inf, dtype=torch.float32).triu(1)
    elif not whose:
        bias = torch.zeros(1, 1, tokens, tokens, dtype=torch.float32)
    else:
        drawn = torch.float32 if whose[0] == 1 else qkv.dtype
        bias = torch.randn(*whose, tokens, tokens, dtype=drawn, requires_grad=True)
    exact = [part.detach().float().requires_grad_(part.requires_grad) for part in (qkv, bias)]
    kernel, spelled = board_attention(qkv, bias, heads), attend(exact[0], heads, exact[1], None)
    grad = torch.randn_like(kernel)
    learned = [part for part in (qkv, bias) if part.requires_grad]
    found = [kernel, *torch.autograd.grad(kernel, learned, grad)]
    assert [part.dtype for part in found] == [part.dtype for part in (qkv, *learned)]
    compare(found, [spelled, *torch.autograd.grad(spelled, exact[: len(learned)], grad.float())], most)


def compare(found: list[Tensor], wanted: list[Tensor], most: float) -> None:
    for ours, theirs in zip(found, wanted, strict=True):
        error = float((ours.detach().float() - theirs.detach()).norm() / theirs.detach().norm())
        assert error < most, f"off by {error:.2g}"


if __name__ == "__main__":
    interpreted = os.environ.get("TRITON_INTERPRET") == "1"
    torch.set_default_device("cpu" if interpreted else "cuda")
    torch.manual_seed(0)
    for kind, most in (ON_CPU if interpreted else ON_GPU).items():
        torch.set_default_dtype(kind)
        for name, case in CASES.items():
            check(*case, most=most)
            print(f"{name}, {kind}")
