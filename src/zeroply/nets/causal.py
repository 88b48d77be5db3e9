"""Tokens in an order, as in GPT: each sees itself and those before it, so that only the last has seen all."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Causal(nn.Module):
    """An attention bias that hides what comes later."""

    hidden: Tensor

    def __init__(self, tokens: int) -> None:
        super().__init__()
        later = torch.full((tokens, tokens), float("-inf")).triu(1)
        self.register_buffer("hidden", later, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        """[B, L, D] -> [L, L], added to the attention logits."""
        return self.hidden


class LastToken(nn.Module):
    """[B, L, D] -> [B, D]: the one that has seen all the others."""

    def forward(self, x: Tensor) -> Tensor:
        return x[:, -1]
