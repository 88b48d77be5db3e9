"""The kernels on a CPU against plain attention: run by test_board_attention.py, with TRITON_INTERPRET=1."""

from __future__ import annotations

import torch

from zeroply.nets.attention import attend
from zeroply.nets.board_attention import ITEMS, board_attention

CASES = {
    "a bias of each head": (3, 64, 2, 32, (1, 2)),
    "more positions than one program takes": (ITEMS + 3, 9, 2, 16, (1, 2)),
    "a map of each position": (2, 84, 4, 32, (2, 1)),
    "a map of each position and head": (2, 90, 3, 24, (2, 3)),
}
"""Batch, tokens, heads, width of a head, and whose the bias is."""


def learned(batch: int, tokens: int, heads: int, width: int, whose: tuple[int, int]) -> None:
    qkv = torch.randn(batch, tokens, 3 * heads * width, requires_grad=True)
    bias = torch.randn(*whose, tokens, tokens, requires_grad=True)
    compare(qkv, bias, heads, (qkv, bias))


def causal() -> None:
    tokens, heads, width = 69, 2, 8
    qkv = torch.randn(3, tokens, 3 * heads * width, requires_grad=True)
    unseen = torch.full((1, 1, tokens, tokens), -torch.inf).triu(1)
    compare(qkv, unseen, heads, (qkv,))


def compare(qkv: torch.Tensor, bias: torch.Tensor, heads: int, wanted: tuple[torch.Tensor, ...]) -> None:
    spelled, kernel = attend(qkv, heads, bias, None), board_attention(qkv, bias, heads)
    torch.testing.assert_close(kernel, spelled, atol=1e-5, rtol=1e-5)
    grad = torch.randn_like(spelled)
    torch.testing.assert_close(
        torch.autograd.grad(kernel, wanted, grad),
        torch.autograd.grad(spelled, wanted, grad),
        atol=1e-5,
        rtol=1e-5,
    )


if __name__ == "__main__":
    torch.manual_seed(0)
    for name, case in CASES.items():
        learned(*case)
        print(name)
    causal()
    print("a mask")
