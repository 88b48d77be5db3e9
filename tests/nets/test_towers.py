"""What a tower sees of its stream, and what it must not."""

from __future__ import annotations

from functools import cache

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from zeroply.encodings.base import Stream
from zeroply.nets.towers import MoveTower, waves
from zeroply.nets.trunk import Trunk

MOVES, WIDTH = 50, 16
NONE = MOVES
MOVE = st.integers(0, MOVES - 1)


@cache
def tower(history: int) -> MoveTower:
    """With the same weights for every history."""
    torch.manual_seed(0)
    trunk = Trunk(width=WIDTH, depth=2, heads=4, inner=32)
    for weight in trunk.parameters():
        torch.nn.init.normal_(weight, std=0.3)  # large enough that attention is not even
    return MoveTower(Stream(length=history, vocabulary=MOVES + 1), WIDTH, trunk)


def streams(past: list[int], history: int) -> dict[str, Tensor]:
    """A batch of one: the tokens seen, behind padding."""
    padded = history - len(past)
    return {
        "past": torch.tensor([[NONE] * padded + past]),
        "padding": torch.tensor([[True] * padded + [False] * len(past)]),
    }


def feature(past: list[int], history: int) -> Tensor:
    with torch.no_grad():
        out: Tensor = tower(history)(streams(past, history))[0]
    return out


@given(st.lists(MOVE, min_size=1, max_size=7), st.lists(st.integers(0, MOVES), min_size=8, max_size=8))
def test_padding_says_nothing_whatever_stands_there(past: list[int], noise: list[int]) -> None:
    seen = streams(past, 8)
    other = {**seen, "past": torch.where(seen["padding"], torch.tensor([noise]), seen["past"])}
    with torch.no_grad():
        assert torch.equal(tower(8)(seen), tower(8)(other))


@given(st.lists(MOVE, min_size=1, max_size=8), st.integers(0, 20))
def test_more_padding_changes_nothing(past: list[int], more: int) -> None:
    torch.testing.assert_close(feature(past, 8), feature(past, 8 + more), rtol=1e-4, atol=1e-4)


@given(st.lists(MOVE, min_size=2, max_size=8), st.data())
def test_every_move_and_its_place_matter(past: list[int], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(past) - 1))
    other = data.draw(MOVE.filter(lambda move: move != past[at]))
    assert not torch.equal(feature(past, 8), feature([*past[:at], other, *past[at + 1 :]], 8))
    if past[:-1] != past[-2::-1]:
        assert not torch.equal(feature(past, 8), feature([*past[-2::-1], past[-1]], 8))


def test_no_move_yet_is_learned() -> None:
    net = tower(8)
    net.zero_grad()
    first = net(streams([NONE], 8))
    assert first.isfinite().all()
    (first**2).sum().backward()
    gradient = net.embed.words.grad
    assert gradient is not None
    assert gradient[NONE].abs().sum() > 0
    assert gradient[:NONE].abs().sum() == 0


def test_padding_takes_no_gradient() -> None:
    net = tower(8)
    net.zero_grad()
    (net(streams([3, 4], 8)) ** 2).sum().backward()
    gradient = net.embed.words.grad
    assert gradient is not None
    assert gradient.abs().sum(1).nonzero()[:, 0].tolist() == [3, 4]


@pytest.mark.parametrize("width", [16, 15])
def test_no_two_places_look_alike(width: int) -> None:
    places = waves(torch.arange(512), width)
    assert places.shape == (512, width)
    assert places.abs().max() <= 1
    assert torch.pdist(places).min() > 0.01
