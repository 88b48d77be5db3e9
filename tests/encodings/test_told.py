"""What a net is told of who plays."""

from __future__ import annotations

import pytest
import torch

from zeroply.corpus.score import Kind
from zeroply.corpus.told import ANYONE
from zeroply.encodings.told import WHO, Mover, Players

RATINGS = torch.tensor([0, 800, 1500, 2125, 2500, 2875, 3500])


def test_ratings_are_told_apart_from_the_weakest_on() -> None:
    rows = {"rating": RATINGS}
    assert Mover()(rows)[:, 1].tolist() == [0, -1.5, -1.5, -1.5, 0, 1.5, 1.5]
    assert Mover(800)(rows)[:, 1].tolist() == pytest.approx([0, -6.8, -4, -1.5, 0, 1.5, 1.5])
    assert Mover()(rows)[:, 0].tolist() == [0, 1, 1, 1, 1, 1, 1]


def test_engines_are_told_apart_where_people_end() -> None:
    engine = torch.full_like(RATINGS, Kind.engine.value)
    rows = {"rating": RATINGS, "opponent_rating": RATINGS.flip(0), "kind": engine}
    told = Players(1500)(rows)
    assert told[:, 1].tolist() == [0, -4, -4, -1.5, 0, 1.5, 4]
    assert torch.equal(told[:, 3], told[:, 1].flip(0))
    assert told[:, 4 + WHO.index(Kind.engine)].all()


def test_a_label_is_nobody_s_move() -> None:
    """It is told as if nobody knew who plays; all others are told apart."""
    unrated = torch.zeros(len(Kind) + 1, dtype=torch.long)
    kinds = torch.tensor([ANYONE, *Kind])
    told = Players()({"rating": unrated, "opponent_rating": unrated, "kind": kinds})
    assert torch.equal(told[0], told[1 + Kind.label])
    assert len(told.unique(dim=0)) == len(Kind)
