"""Maps drawn for the position, one for each head, and the layer that all blocks share."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import nn

from zeroply.errors import RecipeError
from zeroply.nets.smolgen_per_head import SharedMaps
from zeroply.nets.trunk import Trunk

WIDTH, HEADS, TOKENS = 16, 2, 9


def maker() -> SharedMaps:
    torch.manual_seed(0)
    return SharedMaps(blocks=3, width=WIDTH, heads=HEADS, tokens=TOKENS, drawing=8)


def tokens() -> torch.Tensor:
    return torch.randn(3, TOKENS, WIDTH, generator=torch.Generator().manual_seed(0))


def test_each_position_and_head_has_a_map_of_its_own() -> None:
    drawn = maker()()(tokens())
    assert drawn.shape == (3, HEADS, TOKENS, TOKENS)
    flat = drawn.flatten(0, 1).flatten(1)
    assert torch.cdist(flat, flat).add(torch.eye(len(flat))).min() > 1e-3


def test_every_token_has_a_say_in_every_map() -> None:
    x = tokens().requires_grad_()
    maker()()(x)[0, 0, 0, 0].backward()
    assert x.grad is not None
    assert (x.grad[0].abs().sum(1) > 0).all()
    assert not x.grad[1:].any()


def trunk() -> Trunk:
    return Trunk(width=WIDTH, depth=3, heads=HEADS, inner=16, bias=maker())


def test_blocks_share_their_maps_which_are_saved_once() -> None:
    net = trunk()
    named = [name for name in net.state_dict() if "maps" in name]
    assert named == ["blocks.0.attention.bias.maps.weight", "blocks.0.attention.bias.maps.bias"]
    before = net(tokens())
    for name, weight in net.named_parameters():
        if name.endswith("maps.weight"):
            nn.init.normal_(weight, std=3)
    assert not torch.allclose(before, net(tokens()))


def test_a_second_trunk_cannot_take_the_maps_of_the_first() -> None:
    shared = maker()
    Trunk(width=WIDTH, depth=3, heads=HEADS, inner=16, bias=shared)
    with pytest.raises(RecipeError, match="Make another SharedMaps for another trunk"):
        Trunk(width=WIDTH, depth=3, heads=HEADS, inner=16, bias=shared)


def test_a_copy_has_maps_of_its_own() -> None:
    net = trunk()
    other = copy.deepcopy(net)
    expected = net(tokens())
    with torch.no_grad():
        for weight in net.parameters():
            weight.zero_()
    torch.testing.assert_close(other(tokens()), expected)
