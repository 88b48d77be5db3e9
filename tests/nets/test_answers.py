"""What a net says of the board as it is, told to the mover."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from tests.sources import CHESS
from zeroply.encodings.absolute import AbsoluteSquares
from zeroply.nets.answers import MoversView, PawnsPromote

TABLE = CHESS.moves
ENCODING = AbsoluteSquares(CHESS)


class Even(nn.Module):
    """Gives all moves as much, and the first player half a point of the scale."""

    def forward(self, streams: Mapping[str, Tensor]) -> dict[str, Tensor]:
        batch = len(streams["squares"])
        return {"policy": torch.zeros(batch, len(TABLE)), "evaluation": torch.full((batch,), 0.5)}


def streams_of(fen: str) -> dict[str, Tensor]:
    row = CHESS.start(fen).row(0)
    return ENCODING.forward({name: torch.as_tensor(column) for name, column in row.items()})


def test_an_evaluation_becomes_the_movers() -> None:
    net = MoversView(Even())
    assert net(streams_of("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"))["evaluation"].tolist() == [0.5]
    assert net(streams_of("4k3/8/8/8/8/8/8/R3K3 b - - 0 1"))["evaluation"].tolist() == [-0.5]


def test_of_moves_with_one_cell_only_those_count_that_the_piece_can_make() -> None:
    net = PawnsPromote(Even(), TABLE)
    for fen, square, promotes in (
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7", True),
        ("4k3/R7/8/8/8/8/8/4K3 w - - 0 1", "a7", False),
        ("4k3/8/8/8/8/8/1p6/4K3 b - - 0 1", "b2", True),
        ("4k3/8/8/8/8/8/1P6/4K3 w - - 0 1", "b2", False),
        ("4k3/1p6/8/8/8/8/8/4K3 b - - 0 1", "b7", False),
    ):
        policy = net(streams_of(fen))["policy"][0]
        from_there = [n for n, name in enumerate(TABLE.names) if name.startswith(square)]
        counted = {n for n in from_there if policy[n] > -torch.inf}
        assert counted == {n for n in from_there if (TABLE.promotion[n] > 0) == promotes}, fen


def test_every_legal_move_counts() -> None:
    net = PawnsPromote(Even(), TABLE)
    for fen in ("r1n1k3/1P6/8/8/8/8/6p1/4K2R w K - 0 1", "r1n1k3/1P6/8/8/8/8/6p1/4K2R b K - 0 1"):
        policy = net(streams_of(fen))["policy"][0]
        assert (policy[torch.as_tensor(CHESS.start(fen).legal())] > -torch.inf).all()
