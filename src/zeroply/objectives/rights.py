"""The loss of the rights that a move leaves."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from zeroply.encodings.rights import told_rights
from zeroply.games import Game, Rows


class RightsBCE:
    """How surprising castling and en passant rights after the played move were: nats for each yes or no."""

    reads = ("next_rights", "next_en_passant")

    def __init__(self, game: Game) -> None:
        self._files = game.files

    def __call__(self, out: Mapping[str, Tensor], rows: Rows) -> Tensor:
        return binary_cross_entropy_with_logits(out["next_rights"], self.targets(rows))

    def targets(self, rows: Rows) -> Tensor:
        """[B, 13] 0 or 1: rights of both sides, whether en passant is possible, each file on which it is."""
        return told_rights(rows["next_rights"], rows["next_en_passant"], self._files).float()

    def counted(self, rows: Rows) -> Tensor:
        return torch.as_tensor(len(rows["next_rights"]))

    def least(self, rows: Rows) -> Tensor:
        return torch.zeros(())
