"""Whose view a number about the position is."""

from __future__ import annotations

import torch
from torch import nn

from zeroply.heads.scalars import Evaluation


def test_an_evaluation_becomes_the_movers() -> None:
    worth = torch.tensor([[0.5], [0.5], [-0.25]])
    found = Evaluation(nn.Identity())(worth, {"turn": torch.tensor([[0], [1], [1]])})["evaluation"]
    assert found.tolist() == [0.5, -0.5, 0.25]
