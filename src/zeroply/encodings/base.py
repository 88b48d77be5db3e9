"""What an encoding is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from torch import Tensor

from zeroply.games import Rows

Streams = Mapping[str, Tensor]
"""What an encoding makes of rows, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """A sequence of tokens: numbers below `vocabulary`, or real vectors of `width` if that is given."""

    length: int
    vocabulary: int = 0
    width: int = 0
    alike: tuple[int, ...] = ()
    """Which numbers of a vector are the same in all tokens, by their place in it."""
    squares: tuple[int, ...] = ()
    """[S] the token of each square, White's or Red's first rank first, of a board that is not turned. On one
    that is, a square is where its mirror image would be. Empty: none of the tokens is a square."""


class Encoding(Protocol):
    """Also an nn.Module, because its tables must follow the net to the device and into the exported graph."""

    reads: tuple[str, ...]
    """The columns of a row that it looks at: the inputs of the exported graph."""
    history: int
    streams: Mapping[str, Stream]

    def __call__(self, rows: Rows) -> dict[str, Tensor]:
        """The streams, for the net and its heads, and `flipped` [B]: whether the board was turned for the
        mover."""
        ...
