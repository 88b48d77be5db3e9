"""One logit for each move, and perhaps some more."""

from __future__ import annotations

import pytest
import torch

from tests.sources import CHESS
from zeroply.errors import RecipeError
from zeroply.heads.flat import Flat

MOVES = len(CHESS.moves)
STRAIGHT = {"flipped": torch.zeros(3, dtype=torch.bool)}


def test_what_lies_beyond_the_table_keeps_its_share() -> None:
    head = Flat(CHESS, 8, 4140)
    x = torch.randn(3, 8)
    every = head.logits(x).softmax(-1)
    assert every.shape == (3, 4140)
    policy = head(x, STRAIGHT)["policy"].exp()
    torch.testing.assert_close(policy, every[:, :MOVES])
    torch.testing.assert_close(policy.sum(1), 1 - every[:, MOVES:].sum(1))


def test_who_was_turned_is_turned_back() -> None:
    head, x = Flat(CHESS, 8, MOVES), torch.randn(3, 8)
    some = {"flipped": torch.tensor([False, True, True])}
    there, back = head(x, STRAIGHT)["policy"], head(x, some)["policy"]
    assert torch.equal(back[0], there[0])
    assert torch.equal(back[1:], there[1:, torch.as_tensor(CHESS.moves.mirror)])


def test_fewer_outputs_than_moves_are_refused() -> None:
    with pytest.raises(RecipeError, match="outputs=1967 is less than the 1968 moves of chess"):
        Flat(CHESS, 8, 1967)
