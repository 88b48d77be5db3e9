"""What is hidden from a net while it learns."""

from __future__ import annotations

import torch

from zeroply.corpus.told import ANYONE, UNRATED
from zeroply.training.forget import forget

ROWS = 1000


def test_the_past_is_hidden_by_itself_and_who_plays_at_once() -> None:
    rows = {
        "past": torch.full((ROWS, 4), 7),
        "rating": torch.full((ROWS,), 2500),
        "opponent_rating": torch.full((ROWS,), 2600),
        "kind": torch.ones(ROWS, dtype=torch.int8),
        "move": torch.arange(ROWS),
    }
    seen = forget(rows, 0.3, seed=1, step=2)
    no_past, nobody = (seen["past"] == -1).all(1), seen["kind"] == ANYONE
    assert torch.equal(seen["rating"] == UNRATED, nobody)
    assert torch.equal(seen["opponent_rating"] == UNRATED, nobody)
    assert torch.equal((seen["past"] == -1).any(1), no_past)
    for hidden in (no_past, nobody, ~no_past & ~nobody, no_past & nobody):
        assert 0.05 < hidden.float().mean() < 0.6
    assert torch.equal(seen["move"], rows["move"])
    assert forget(rows, 0.0, seed=1, step=2) is rows
