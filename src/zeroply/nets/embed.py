"""Streams to tokens [B, L, D]: what a trunk works on. In bf16 the whole residual stream is bf16 from here on.
Each says by `square_tokens` which are the squares of the board, as `Stream.squares` does.

Shapes: B batch, L tokens, D width.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Stream, Streams

APART = 0.1
"""Spread, at the start, of what tells tokens apart: several times that of what they share, for a net whose
tokens begin nearly alike is long in telling them apart (docs/decisions/0021)."""
FAINT = 0.02
"""Spread, at the start, of what tokens share, and of all tables of GPT-2."""
FEW = 64
"""Words up to which a vocabulary is small."""


def table(*shape: int, spread: float = APART) -> nn.Parameter:
    """A learned table, as it begins."""
    return nn.Parameter(torch.randn(*shape) * spread)


class Words(nn.Module):
    """[B, L] numbers below `vocabulary` -> [B, L, D], a learned vector for each.

    Few are a product with one-hot vectors: when a whole batch gathers a dozen rows, the gradient makes
    thousands of tokens wait for each row.
    """

    numbers: Tensor

    def __init__(self, vocabulary: int, width: int, spread: float = APART) -> None:
        super().__init__()
        self.words = table(vocabulary, width, spread=spread)
        self.register_buffer("numbers", torch.arange(vocabulary), persistent=False)

    def forward(self, stream: Tensor) -> Tensor:
        if len(self.numbers) > FEW:
            x = nn.functional.embedding(stream, self.words)
        else:
            x = torch.eq(stream[:, :, None], self.numbers).to(self.words.dtype) @ self.words
        return x.to(working_type(x))


class EmbedTokens(nn.Module):
    """A stream of numbers [B, L] to tokens, with a learned vector for each place."""

    def __init__(self, stream: Stream, name: str, width: int, spread: float = APART) -> None:
        super().__init__()
        self.name, self.length, self.square_tokens = name, stream.length, stream.squares
        self.words = Words(stream.vocabulary, width, spread)
        self.place = table(stream.length, width, spread=spread)

    def forward(self, streams: Streams) -> Tensor:
        x: Tensor = self.words(streams[self.name])
        return x + self.place.to(x.dtype)


class EmbedVectors(nn.Module):
    """A stream of real vectors to tokens, with a learned vector for each place. Torch's own start of a linear
    layer would make tokens nine tenths alike: by its bias, and by the features that all squares share."""

    def __init__(self, stream: Stream, name: str, width: int) -> None:
        super().__init__()
        self.name, self.length, self.square_tokens = name, stream.length, stream.squares
        self.project = nn.Linear(stream.width, width)
        self.place = table(stream.length, width)
        spread = torch.full((stream.width,), APART)
        spread[list(stream.alike)] = FAINT
        with torch.no_grad():
            self.project.weight.normal_().mul_(spread)
            self.project.bias.zero_()

    def forward(self, streams: Streams) -> Tensor:
        x: Tensor = self.project(streams[self.name])
        return x + self.place.to(x.dtype)


class Joined(nn.Module):
    """The tokens of several embeddings, one behind the other."""

    def __init__(self, *embeddings: EmbedTokens | EmbedVectors) -> None:
        super().__init__()
        self.embeddings = nn.ModuleList(embeddings)
        self.length, self.square_tokens = 0, tuple[int, ...]()
        for embed in embeddings:
            self.square_tokens += tuple(self.length + token for token in embed.square_tokens)
            self.length += embed.length

    def forward(self, streams: Streams) -> Tensor:
        return torch.cat([embed(streams) for embed in self.embeddings], 1)


def working_type(x: Tensor) -> torch.dtype:
    """What the layers of a net compute in: bf16 in training on a GPU, elsewhere that of the weights."""
    kind = x.device.type
    return torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else x.dtype
