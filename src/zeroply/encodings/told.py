"""What a net is told of who plays, as numbers that are the same on all squares.

Shapes: B batch.
"""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor, nn

from zeroply.corpus.score import Kind
from zeroply.games import Rows

RATING_ZERO, RATING_UNIT, RATING_MOST = 2500, 250, 1.5
"""Ratings are centred, scaled to about -1 … 1 for the players of our corpora, and cut where those end: a net
asked for a player such as it never saw would only babble."""
WEAKEST = 2125
"""Where they end below: corpora of others may reach further down."""
ENGINE_MOST = 5.0
"""Engines' ratings go on where people's end."""


class Told(Protocol):
    """Also an nn.Module, as an encoding is."""

    reads: tuple[str, ...]
    width: int

    def __call__(self, rows: Rows) -> Tensor:
        """-> [B, width]."""
        ...


class Mover(nn.Module):
    """The mover's rating: a flag that it is known, and the number."""

    reads: tuple[str, ...] = ("rating",)
    width = 2

    def __init__(self, weakest: int = WEAKEST) -> None:
        super().__init__()
        self.weakest = weakest

    def forward(self, rows: Rows) -> Tensor:
        return _strength(rows["rating"], self.weakest, RATING_MOST)


WHO = (Kind.human, Kind.engine, Kind.puzzle)
"""Who may play; a label is nobody's move."""


class Players(nn.Module):
    """Both ratings, the mover's first, and a flag for each of WHO: none where nobody plays or knows."""

    reads: tuple[str, ...] = ("rating", "opponent_rating", "kind")
    width = 4 + len(WHO)
    kinds: Tensor

    def __init__(self, weakest: int = WEAKEST) -> None:
        super().__init__()
        self.weakest = weakest
        self.register_buffer("kinds", torch.tensor([kind.value for kind in WHO]), persistent=False)

    def forward(self, rows: Rows) -> Tensor:
        kind = rows["kind"].long()[:, None]
        # The value, since torch.compile takes a tensor and a member of an enum for two things never alike.
        most = torch.where(kind == Kind.engine.value, ENGINE_MOST, RATING_MOST)
        ratings = [_strength(rows[name], self.weakest, most) for name in ("rating", "opponent_rating")]
        return torch.cat([*ratings, (kind == self.kinds).float()], 1)


def _strength(rating: Tensor, weakest: int, most: Tensor | float) -> Tensor:
    """[B] ratings, 0 for none -> [B, 2] whether it is known, and how far it is above the middle; `most` of
    that counts ([B, 1] or one for all), and a rating below the `weakest` as that."""
    number = rating.long()[:, None]
    known = number > 0
    strength = (number.clamp(min=weakest) - RATING_ZERO) / RATING_UNIT
    strength = torch.where(strength > most, most, strength)
    return torch.cat([known.float(), torch.where(known, strength, 0.0)], 1)
