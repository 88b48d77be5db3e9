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
    "one map for all": (3, 9, 2, 16, (1, 1)),
    "a map of the only position": (1, 9, 2, 16, (1, 1)),
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


def in_half_precision() -> None:
    """Much as in training, but not in bf16, which the interpreter cannot multiply: sums are not rounded."""
    qkv = torch.randn(2, 64, 3 * 2 * 32, dtype=torch.float16, requires_grad=True)
    bias = torch.randn(1, 2, 64, 64, requires_grad=True)
    kernel = board_attention(qkv, bias, 2)
    assert kernel.dtype == torch.float16
    grad = torch.randn_like(kernel)
    found = torch.autograd.grad(kernel, (qkv, bias), grad)
    exact = qkv.detach().float().requires_grad_()
    spelled = attend(exact, 2, bias, None)
    wanted = torch.autograd.grad(spelled, (exact, bias), grad.float())
    torch.testing.assert_close(kernel.float(), spelled, atol=0.02, rtol=0.02)
    assert [gradient.dtype for gradient in found] == [torch.float16, torch.float32]
    for ours, theirs in zip(found, wanted, strict=True):
        torch.testing.assert_close(ours.float(), theirs, atol=0.05, rtol=0.05)


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
    in_half_precision()
    causal()
    print("a mask")
