"""The loss of a move head that knows only the squares left and reached."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from zeroply.games import MoveTable, Rows
from zeroply.heads.cells import shares_of_cells


class CellNLL:
    """How surprising the cell of the played move was, in nats: the four promotions of a pawn on one square
    are the same to it. What the head took off for each piece is given back."""

    reads = ("move",)

    def __init__(self, table: MoveTable) -> None:
        self._taken_off = shares_of_cells(table).log()

    def __call__(self, out: Mapping[str, Tensor], rows: Rows) -> Tensor:
        move = rows["move"].long()
        chosen = out["policy"].gather(1, move[:, None])[:, 0]
        return (self._taken_off.to(move.device)[move] - chosen).mean()

    def counted(self, rows: Rows) -> Tensor:
        return torch.as_tensor(len(rows["move"]))

    def least(self, rows: Rows) -> Tensor:
        return torch.zeros(())
