"""How tokens begin."""

from __future__ import annotations

import pytest
import torch

from bench.alike import common
from tests.recipes.test_recipes import real_rows
from zeroply.games import game_named
from zeroply.nets.net import Net
from zeroply.recipes import find_recipe


@pytest.mark.parametrize(
    ("recipe", "game"), [("intuition", "chess"), ("intuition", "xiangqi"), ("minustwo", "chess")]
)
def test_tokens_begin_apart(recipe: str, game: str) -> None:
    """Of what a position's tokens are, little is common to all: with torch's own beginning it was nine
    tenths."""
    torch.manual_seed(0)
    system = find_recipe(recipe).make_small(game_named(game), {"width": 256})
    assert isinstance(system.net, Net)
    rows = real_rows(system, 40)
    with torch.no_grad():
        streams = system.encoding({name: torch.as_tensor(rows[name]) for name in system.encoding.reads})
        tokens = system.net.embed(streams)
    assert common(tokens).max() < 0.3
