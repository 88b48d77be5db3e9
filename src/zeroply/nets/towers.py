"""Towers: each looks at one stream and ends in one vector; side by side they are the position's features.

Shapes: B batch, H past moves, S squares, D width.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Stream, Streams
from zeroply.nets.embed import APART, EmbedTokens, Words
from zeroply.nets.layers import OneToken, gelu, mlp

LONGEST_WAVE = 10_000
"""As in "Attention is all you need"."""


class MoveTower(nn.Module):
    """The past as a sequence of moves; the feature is what becomes of the last one: -> [B, D].

    Places are counted back from the last move, by waves that are not learned: a stretch may begin anywhere in
    a game, and few games are long enough to teach a learned vector for the places far back.
    """

    place: Tensor

    def __init__(self, stream: Stream, width: int, trunk: nn.Module) -> None:
        super().__init__()
        self.embed = Words(stream.vocabulary, width)
        self.trunk, self.last = trunk, OneToken(-1)
        ages = torch.arange(stream.length).flip(0)
        self.register_buffer("place", APART * waves(ages, width), persistent=False)  # as wide as the moves

    def forward(self, streams: Streams) -> Tensor:
        x = self.embed(streams["past"])
        seen = ~streams["padding"][:, None, None, :]
        last: Tensor = self.last(self.trunk(x + self.place.to(x.dtype), seen))
        return last


class BoardTower(nn.Module):
    """The squares as tokens; all that becomes of them goes into an MLP: -> [B, D]."""

    def __init__(self, stream: Stream, width: int, hidden: int, trunk: nn.Module) -> None:
        super().__init__()
        self.embed = EmbedTokens(stream, "board", width)
        self.trunk = trunk
        self.features = nn.Sequential(nn.Flatten(1), *mlp(stream.length * width, hidden, width), gelu())

    def forward(self, streams: Streams) -> Tensor:
        features: Tensor = self.features(self.trunk(self.embed(streams)))
        return features


class RightsTower(nn.Module):
    """Rights through one linear layer: -> [B, D]."""

    def __init__(self, stream: Stream, width: int) -> None:
        super().__init__()
        self.project = nn.Linear(stream.length * stream.width, width)

    def forward(self, streams: Streams) -> Tensor:
        projected: Tensor = self.project(streams["rights"].flatten(1))
        return projected


class SideBySide(nn.Module):
    """The vectors of all towers, one behind the other: streams -> [B, sum of widths]."""

    def __init__(self, *towers: nn.Module) -> None:
        super().__init__()
        self.towers = nn.ModuleList(towers)

    def forward(self, streams: Streams) -> Tensor:
        return torch.cat([tower(streams) for tower in self.towers], 1)


def waves(places: Tensor, width: int) -> Tensor:
    """[L] places -> [L, D]: sines, then cosines, of waves from 2 pi places to LONGEST_WAVE times that."""
    half = -(-width // 2)
    frequency = LONGEST_WAVE ** (-torch.arange(half) / half)
    angle = places[:, None] * frequency
    return torch.cat([angle.sin(), angle.cos()], 1)[:, :width]
