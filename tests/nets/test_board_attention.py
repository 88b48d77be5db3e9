"""The GPU's kernels compute what the spelled-out attention does, run by triton's interpreter on this CPU, and
on a GPU where there is one; and they can be compiled for one that is not there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

HERE = Path(__file__).parent


NO_GPU = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")


@pytest.mark.slow
@pytest.mark.parametrize("interpreted", ["1", pytest.param("0", marks=NO_GPU)], ids=["on a CPU", "on a GPU"])
def test_the_kernels_are_the_attention_that_is_spelled_out(interpreted: str) -> None:
    pytest.importorskip("triton")
    done = subprocess.run(
        [sys.executable, "-m", "tests.nets.kernels"],
        env={**os.environ, "TRITON_INTERPRET": interpreted},  # read once, when a kernel is made
        cwd=HERE.parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("a mask")


HOPPER = 227 * 1024
"""Bytes of shared memory that a program may have on an H100 or H200."""
POINTERS = {"qkv": "*bf16", "out": "*bf16", "grad": "*bf16", "of_qkv": "*bf16"}
NUMBERS = {"batch": "i32", "heads": "i32", "scale": "fp32", "bias_batch": "i32", "bias_head": "i32"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tokens", "heads", "width", "whose", "learned"),
    [
        (64, 8, 64, (1, 8), True),  # intuition m
        (64, 8, 64, (512, 8), True),  # with smolgen
        (90, 8, 32, (1, 8), True),  # xiangqi
        (84, 8, 32, (512, 1), True),  # the recipe smolgen
        (69, 16, 8, (1, 1), False),  # centaur
    ],
)
def test_the_kernels_can_be_compiled_for_a_gpu(
    tokens: int, heads: int, width: int, whose: tuple[int, int], learned: bool
) -> None:
    triton = pytest.importorskip("triton")
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    from zeroply.nets import board_attention as kernels

    qkv = torch.empty(512, tokens, 3 * heads * width, device="meta")
    _, settings = kernels._settings(qkv, torch.empty(*whose, tokens, tokens, device="meta"), heads)
    of_bias = "*fp32" if whose[0] == 1 else "*bf16"
    types = {**POINTERS, **NUMBERS, "bias": of_bias, "of_bias": of_bias}
    launch = {name: settings[name] for name in ("num_warps", "num_stages")}
    for kernel in (kernels._forth, kernels._back):
        constants = {
            name: ({**settings, "learned": learned})[name] for name in kernel.arg_names if name not in types
        }
        signature = {name: types.get(name, "constexpr") for name in kernel.arg_names}
        compiled = triton.compile(
            ASTSource(kernel, signature, constexprs=constants),
            target=GPUTarget("cuda", 90, 32),
            options=launch,
        )
        assert compiled.metadata.shared <= HOPPER
