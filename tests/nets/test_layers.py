"""A layer over all tokens learns as a layer over one does."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from zeroply.nets.layers import AllTokens

WIDTH, OUT, TOKENS, RATE = 32, 16, 64, 1e-2


def moved(layer: nn.Module, x: Tensor) -> float:
    """How far one step of Adam moves the outputs, at most."""
    before = layer(x).detach()
    optimizer = torch.optim.Adam(layer.parameters(), lr=RATE)
    layer(x).sum().backward()
    optimizer.step()
    return float((layer(x) - before).detach().abs().max())


def test_a_step_moves_it_no_further_than_a_layer_over_one_token() -> None:
    torch.manual_seed(0)
    x = torch.randn(4, TOKENS, WIDTH)
    of_one = moved(nn.Linear(WIDTH, OUT), x[:, 0])
    assert moved(AllTokens(TOKENS, WIDTH, OUT), x) < 2 * of_one
    assert moved(nn.Linear(TOKENS * WIDTH, OUT), x.flatten(1)) > 4 * of_one


def test_it_starts_as_a_linear_layer_does() -> None:
    torch.manual_seed(0)
    x = torch.randn(256, TOKENS, WIDTH)
    ours, plain = AllTokens(TOKENS, WIDTH, 512)(x), nn.Linear(TOKENS * WIDTH, 512)(x.flatten(1))
    assert 0.9 < float((ours.std() / plain.std()).detach()) < 1.1
