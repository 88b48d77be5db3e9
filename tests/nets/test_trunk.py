"""Attention with and without a learned map is the same attention, under every mask."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from zeroply.nets.attention import Attention
from zeroply.nets.geometry import StaticGeometry
from zeroply.nets.masks import Causal

WIDTH, HEADS, TOKENS = 16, 4, 9
PADDED = torch.arange(TOKENS) >= torch.tensor([0, 3, TOKENS - 1])[:, None]
"""Of three rows the first tokens are hidden: none, three, all but the last."""


@pytest.mark.parametrize(
    "mask", [None, Causal(TOKENS)({}), PADDED[:, None, None]], ids=["none", "causal", "padding"]
)
def test_a_map_of_zeros_changes_nothing(mask: Tensor | None) -> None:
    torch.manual_seed(0)
    plain = Attention(WIDTH, HEADS, None)
    with_map = Attention(WIDTH, HEADS, StaticGeometry(HEADS, TOKENS))
    with_map.load_state_dict(plain.state_dict(), strict=False)
    x = 5 * torch.randn(3, TOKENS, WIDTH)
    torch.testing.assert_close(plain(x, mask), with_map(x, mask))
    if mask is not None:
        assert not torch.allclose(plain(x, mask), plain(x, None))
