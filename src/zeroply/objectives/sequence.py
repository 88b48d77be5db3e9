"""Losses of nets that answer after every move of a sequence, over the moves that a row teaches.

Shapes: B batch, H past moves.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from zeroply.games import Game, Rows
from zeroply.games.coordinates import coordinates

LABELS = ("move", "taught", "apart")


def taught(rows: Rows) -> tuple[Tensor, Tensor]:
    """[B, H + 1] the past moves and the row's own, and which of them it teaches: see `Chosen`."""
    moves = torch.cat([rows["past"].long(), rows["move"].long()[:, None]], 1)
    back = torch.arange(moves.shape[1] - 1, -1, -1, device=moves.device)
    apart, count = rows["apart"].long()[:, None], rows["taught"].long()[:, None]
    return moves.clamp(min=0), (back % apart == 0) & (back < apart * count) & (moves >= 0)


class CoordinateNLL:
    """How surprising one coordinate of the moves was, in nats; the mean over all moves that are taught."""

    reads = LABELS

    def __init__(self, game: Game, coordinate: str) -> None:
        self._coordinate, self._of = coordinate, _tables(game)[coordinate]

    def __call__(self, out: Mapping[str, Tensor], rows: Rows) -> Tensor:
        moves, counts = taught(rows)
        target = self._of.to(moves.device)[moves]
        nll = -out[self._coordinate].gather(2, target[:, :, None])[:, :, 0]
        mean: Tensor = (nll * counts).sum() / counts.sum()
        return mean

    def counted(self, rows: Rows) -> Tensor:
        return taught(rows)[1].sum()

    def least(self, rows: Rows) -> Tensor:
        return torch.zeros(())


class AllCoordinatesRight:
    """The share of the moves that are taught whose coordinates were each the likeliest."""

    def __init__(self, game: Game) -> None:
        self._tables = _tables(game)

    def __call__(self, out: Mapping[str, Tensor], rows: Rows) -> Tensor:
        moves, counts = taught(rows)
        right = counts
        for name, table in self._tables.items():
            right = right & (out[name].argmax(2) == table.to(moves.device)[moves])
        return right.sum() / counts.sum()


def _tables(game: Game) -> dict[str, Tensor]:
    """[M] each coordinate of every move."""
    return {coordinate.name: torch.as_tensor(coordinate.of) for coordinate in coordinates(game)}
