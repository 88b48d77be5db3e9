"""Moves as cells of a table: what promotions share, and what they are trained by."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from tests.sources import CHESS
from zeroply.heads.cells import Cells
from zeroply.objectives.cells import CellNLL

TABLE = CHESS.moves
FLAT = Cells(TABLE, 64, nn.Flatten(1))
"""Its tokens are the logits themselves: [B, 64, 64]."""


def policy_of(logits: Tensor) -> Tensor:
    policy: Tensor = FLAT(logits, torch.zeros(len(logits), dtype=torch.bool))
    return policy


def number(square: str) -> int:
    return "abcdefgh".index(square[0]) + 8 * (int(square[1]) - 1)


def test_a_move_has_the_cell_of_its_squares_and_promotions_share_one() -> None:
    logits = torch.randn(3, 64, 64)
    policy = policy_of(logits).exp()
    cells = logits.flatten(1).softmax(-1).view(3, 64, 64)

    def cell(name: str) -> Tensor:
        return cells[:, number(name[:2]), number(name[2:4])]

    shares = {
        "e2e4": 1.0,
        "e7e8": 1.0,
        "g8f6": 1.0,
        "e7e8q": 0.97,
        "e7e8n": 0.01,
        "a2b1b": 0.01,
        "h2h1r": 0.01,
    }
    for name, share in shares.items():
        torch.testing.assert_close(policy[:, TABLE.number(name)], share * cell(name), msg=name)


def test_all_four_promotions_are_trained_by_their_cell_alone() -> None:
    logits = torch.randn(4, 64, 64, requires_grad=True)
    moves = torch.tensor([TABLE.number(f"b7c8{piece}") for piece in "nbrq"])
    found = CellNLL(TABLE)({"policy": policy_of(logits)}, {"move": moves})
    cell = 64 * number("b7") + number("c8")
    wanted = nn.functional.cross_entropy(logits.flatten(1), torch.full((4,), cell))
    torch.testing.assert_close(found, wanted)
    (there,) = torch.autograd.grad(found, logits, retain_graph=True)
    (back,) = torch.autograd.grad(wanted, logits)
    torch.testing.assert_close(there, back)
