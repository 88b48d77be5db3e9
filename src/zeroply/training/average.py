"""A running mean of a net's weights, which is often better than the weights themselves."""

from __future__ import annotations

from copy import deepcopy

import torch
from torch import nn


class Average(nn.Module):
    """`net` follows the weights of another: in the long run each step counts `decay` times as much as the
    next. Early steps count less, so that a short run does not end with how it began."""

    def __init__(self, net: nn.Module, decay: float) -> None:
        super().__init__()
        self.net = deepcopy(net).requires_grad_(False)
        self._decay = decay

    @torch.no_grad()
    def follow(self, net: nn.Module, step: int) -> None:
        """Take in the weights after step 0, 1, …"""
        share = 1 - decay_at(step, self._decay)
        torch._foreach_lerp_(tuple(self.net.parameters()), tuple(net.parameters()), share)
        for mine, other in zip(self.net.buffers(), net.buffers(), strict=True):
            mine.copy_(other)


def decay_at(step: int, decay: float) -> float:
    """What the mean keeps of itself: 0.1 after the first step, so that it spans about the last ninth of the
    steps, until `decay` is reached."""
    return min(decay, (1 + step) / (10 + step))
