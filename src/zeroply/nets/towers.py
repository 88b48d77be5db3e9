"""Towers: each looks at one stream and ends in one vector; side by side they are the position's features.

Shapes: B batch, H past moves, S squares, D width.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Stream

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
        self.embed = nn.Embedding(stream.vocabulary, width)
        self.trunk = trunk
        ages = torch.arange(stream.length).flip(0)
        self.register_buffer("place", waves(ages, width), persistent=False)

    def forward(self, streams: Mapping[str, Tensor]) -> Tensor:
        x = self.embed(streams["past"])
        mask = torch.where(streams["padding"], -math.inf, 0.0)[:, None, None, :]  # no token sees padding
        last: Tensor = self.trunk(x + self.place.to(x.dtype), mask)[:, -1]
        return last


class BoardTower(nn.Module):
    """The squares as tokens; all that becomes of them goes into an MLP: -> [B, D]."""

    def __init__(self, stream: Stream, width: int, hidden: int, trunk: nn.Module) -> None:
        super().__init__()
        self.embed = nn.Embedding(stream.vocabulary, width)
        self.place = nn.Parameter(torch.randn(stream.length, width))
        self.trunk = trunk
        self.features = mlp(stream.length * width, hidden, width)

    def forward(self, streams: Mapping[str, Tensor]) -> Tensor:
        x = self.embed(streams["board"])
        features: Tensor = self.features(self.trunk(x + self.place.to(x.dtype)).flatten(1))
        return features


class RightsTower(nn.Module):
    """Rights through one linear layer: -> [B, D]."""

    def __init__(self, stream: Stream, width: int) -> None:
        super().__init__()
        self.project = nn.Linear(stream.length * stream.width, width)

    def forward(self, streams: Mapping[str, Tensor]) -> Tensor:
        projected: Tensor = self.project(streams["rights"].flatten(1))
        return projected


class SideBySide(nn.Module):
    """The vectors of all towers, one behind the other: streams -> [B, sum of widths]."""

    def __init__(self, *towers: nn.Module) -> None:
        super().__init__()
        self.towers = nn.ModuleList(towers)

    def forward(self, streams: Mapping[str, Tensor]) -> Tensor:
        return torch.cat([tower(streams) for tower in self.towers], 1)


def mlp(*widths: int) -> nn.Sequential:
    """Linear layers from width to width, each followed by a GELU."""
    layers = [nn.Linear(here, there) for here, there in pairwise(widths)]
    return nn.Sequential(*(part for layer in layers for part in (layer, nn.GELU(approximate="tanh"))))


def waves(places: Tensor, width: int) -> Tensor:
    """[L] places -> [L, D]: sines, then cosines, of waves from 2 pi places to LONGEST_WAVE times that."""
    half = -(-width // 2)
    frequency = LONGEST_WAVE ** (-torch.arange(half) / half)
    angle = places[:, None] * frequency
    return torch.cat([angle.sin(), angle.cos()], 1)[:, :width]
