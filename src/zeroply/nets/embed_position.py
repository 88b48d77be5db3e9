"""The tokens of `PositionTokens` as vectors, between a token that answers and some that say nothing.

Shapes: B batch, L tokens, D width.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Stream, Streams
from zeroply.nets.embed import APART, Words, table

DEGREE = 8
"""Of the polynomial in the halfmove clock."""
STAGE = 16
"""Width of the vector that the number of moves scales, before a matrix takes it to that of all tokens."""


class EmbedPosition(nn.Module):
    """[B, L, D]: CLS, the squares, the flags, repetition, halfmove, fullmove, registers.

    Each has a learned vector for its place. CLS and registers are nothing else; to the others it gives
    something to be measured by: a norm would hide from the first block how far a clock alone is scaled.
    """

    def __init__(self, streams: Mapping[str, Stream], *, width: int, registers: int) -> None:
        super().__init__()
        flags = streams["flags"]
        self.squares = Words(streams["squares"].vocabulary, width)
        self.flags = table(flags.length, flags.vocabulary, width)
        self.repeats = Words(streams["repeats"].vocabulary, width)
        self.halfmove = table(width)
        self.polynomial = nn.Parameter(torch.eye(DEGREE + 1)[1])  # begins as the number itself
        self.stage = nn.Parameter(torch.randn(STAGE))
        self.stage_matrix = table(STAGE, width, spread=APART / STAGE**0.5)  # the product is then as wide
        self._registers = registers
        self.square_tokens = tuple(1 + token for token in streams["squares"].squares)
        self.length = 1 + sum(stream.length for stream in streams.values()) + registers
        self.places = table(self.length, width)

    def forward(self, streams: Streams) -> Tensor:
        squares = self.squares(streams["squares"])
        off, on = self.flags.unbind(1)
        tokens = [
            squares,
            torch.where(streams["flags"][:, :, None] == 1, on, off),
            self.repeats(streams["repeats"]),
            self._scale(streams["halfmove"]) * self.halfmove,
            (streams["fullmove"] * self.stage) @ self.stage_matrix,
        ]
        told = torch.cat([token.to(squares.dtype) for token in tokens], 1)
        return nn.functional.pad(told, (0, 0, 1, self._registers)) + self.places.to(squares.dtype)

    def _scale(self, halfmove: Tensor) -> Tensor:
        """The polynomial's value, by Horner's scheme."""
        value = torch.zeros_like(halfmove)
        for coefficient in reversed(self.polynomial.unbind()):
            value = value * halfmove + coefficient
        return value
