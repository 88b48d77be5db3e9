"""Tokens of one closed vocabulary to vectors, as GPT has them."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Stream

SMALL = 0.02
"""Spread of the tables at the start."""


class EmbedTokens(nn.Module):
    """A stream of numbers [B, L] to tokens [B, L, D]: a learned vector for each word and each place."""

    def __init__(self, stream: Stream, name: str, width: int) -> None:
        super().__init__()
        self.name = name
        # Not nn.Embedding: weight decay is for the matrices of layers, which it would look like.
        self.words = nn.Parameter(torch.randn(stream.vocabulary, width) * SMALL)
        self.place = nn.Parameter(torch.randn(stream.length, width) * SMALL)

    def forward(self, streams: Mapping[str, Tensor]) -> Tensor:
        return nn.functional.embedding(streams[self.name], self.words) + self.place
