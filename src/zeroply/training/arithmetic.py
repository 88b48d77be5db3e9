"""How torch computes in a process that trains, whatever the recipe."""

from __future__ import annotations

import torch


def set_arithmetic() -> None:
    """Matrices that are left in float32 may be multiplied in TF32. Attention that our kernel does not do is
    not left to cuDNN, which torch prefers on Hopper from 2.11 on: with 64 tokens, a board's squares, its
    gradient of the queries is NaN where all logits of a token are below -89 or so (pytorch/pytorch#196678).
    """
    torch.set_float32_matmul_precision("high")
    torch.backends.cuda.enable_cudnn_sdp(False)
