"""Moves as cells of a table: what promotions share, and what they are trained by."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from tests.sources import CHESS
from zeroply.encodings.absolute_squares import AbsoluteSquares
from zeroply.heads.cells import Cells
from zeroply.objectives.cells import CellNLL

TABLE = CHESS.moves
FLAT = Cells(CHESS, nn.Flatten(1))
"""Its tokens are the logits themselves: [B, 64, 64]."""


def policy_of(logits: Tensor, fen: str) -> Tensor:
    row = CHESS.start(fen).row(0)
    streams = AbsoluteSquares(CHESS)({name: torch.as_tensor(column) for name, column in row.items()})
    policy: Tensor = FLAT(logits, streams)["policy"]
    return policy


def number(square: str) -> int:
    return "abcdefgh".index(square[0]) + 8 * (int(square[1]) - 1)


def test_a_move_has_the_cell_of_its_squares_and_promotions_share_one() -> None:
    logits = torch.randn(3, 64, 64)
    policy = policy_of(logits, "4k3/4P3/8/8/8/8/p6p/4K3 w - - 0 1").exp()
    cells = logits.flatten(1).softmax(-1).view(3, 64, 64)

    def cell(name: str) -> Tensor:
        return cells[:, number(name[:2]), number(name[2:4])]

    shares = {
        "e2e4": 1.0,
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
    found = CellNLL(TABLE)(
        {"policy": policy_of(logits, "2n1k3/1P6/8/8/8/8/8/4K3 w - - 0 1")}, {"move": moves}
    )
    cell = 64 * number("b7") + number("c8")
    wanted = nn.functional.cross_entropy(logits.flatten(1), torch.full((4,), cell))
    torch.testing.assert_close(found, wanted)
    (there,) = torch.autograd.grad(found, logits, retain_graph=True)
    (back,) = torch.autograd.grad(wanted, logits)
    torch.testing.assert_close(there, back)


def test_of_moves_with_one_cell_only_those_count_that_the_piece_can_make() -> None:
    for fen, square, promotes in (
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7", True),
        ("4k3/R7/8/8/8/8/8/4K3 w - - 0 1", "a7", False),
        ("4k3/8/8/8/8/8/1p6/4K3 b - - 0 1", "b2", True),
        ("4k3/8/8/8/8/8/1P6/4K3 w - - 0 1", "b2", False),
        ("4k3/1p6/8/8/8/8/8/4K3 b - - 0 1", "b7", False),
    ):
        policy = policy_of(torch.zeros(1, 64, 64), fen)[0]
        from_there = [n for n, name in enumerate(TABLE.names) if name.startswith(square)]
        counted = {n for n in from_there if policy[n] > -torch.inf}
        assert counted == {n for n in from_there if (TABLE.promotion[n] > 0) == promotes}, fen


def test_every_legal_move_counts() -> None:
    for fen in ("r1n1k3/1P6/8/8/8/8/6p1/4K2R w K - 0 1", "r1n1k3/1P6/8/8/8/8/6p1/4K2R b K - 0 1"):
        policy = policy_of(torch.zeros(1, 64, 64), fen)[0]
        assert (policy[torch.as_tensor(CHESS.start(fen).legal())] > -torch.inf).all()
