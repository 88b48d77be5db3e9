"""Streams to outputs: embed, think, answer."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Stream


class EmbedVectors(nn.Module):
    """A stream of real vectors to tokens [B, L, D], with a learned vector for each place."""

    def __init__(self, stream: Stream, name: str, width: int) -> None:
        super().__init__()
        self.name = name
        self.project = nn.Linear(stream.width, width)
        self.place = nn.Parameter(torch.randn(stream.length, width) * 0.02)

    def forward(self, streams: Mapping[str, Tensor]) -> Tensor:
        x: Tensor = self.project(streams[self.name])
        return x + self.place.to(x.dtype)  # in bf16 the whole residual stream stays bf16


class Net(nn.Module):
    """Heads are met by name: what they return is the net's outputs."""

    def __init__(self, *, embed: nn.Module, trunk: nn.Module, heads: Mapping[str, nn.Module]) -> None:
        super().__init__()
        self.embed, self.trunk, self.heads = embed, trunk, nn.ModuleDict(heads)

    def forward(self, streams: Mapping[str, Tensor]) -> dict[str, Tensor]:
        x = self.trunk(self.embed(streams))
        return {name: head(x, streams["flipped"]) for name, head in self.heads.items()}
