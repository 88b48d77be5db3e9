"""Who may see whom: masks for a trunk, true where a token sees another.

Shapes: B batch, L tokens, S squares.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Streams


class Causal(nn.Module):
    """Every token sees itself and those before it, as in GPT: only the last has seen all. Padding that comes
    last is thereby hidden from all others."""

    seen: Tensor

    def __init__(self, length: int) -> None:
        super().__init__()
        self.register_buffer("seen", torch.ones(length, length).tril() > 0, persistent=False)

    def forward(self, streams: Streams) -> Tensor:
        """-> [L, L]."""
        return self.seen


class CausalThenBoard(Causal):
    """Behind the tokens of moves the squares of the board, which see each other. Only the last move's last
    token sees them: to those before it the board, which all the moves made, would tell the future."""

    places: Tensor

    def __init__(self, length: int, *, of_a_move: int) -> None:
        """`of_a_move`: tokens that a move has."""
        super().__init__(length)
        self._of_a_move = of_a_move
        self.register_buffer("places", torch.arange(length), persistent=False)

    def forward(self, streams: Streams) -> Tensor:
        """-> [B, 1, L + S, L + S]."""
        batch, squares = streams["board"].shape
        last = self.places == self._of_a_move * streams["known"][:, None]
        of_tokens = torch.cat([self.seen.expand(batch, -1, -1), last[:, :, None].expand(-1, -1, squares)], 2)
        of_squares = torch.cat([torch.zeros_like(last), last.new_ones(batch, squares)], 1)
        return torch.cat([of_tokens, of_squares[:, None].expand(-1, squares, -1)], 1)[:, None]
