"""A causal transformer over a sequence of moves: an answer after every whole move, from what came before.

Shapes: B batch, L tokens, H past moves, S squares, D width.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Stream

SMALL = 0.02
"""Spread of learned tables at the start, as in GPT-2."""
COMPONENTS = 4
"""Tokens of a move."""


def hidden(seen: Tensor) -> Tensor:
    """Who may see whom, as what is added to attention logits."""
    return torch.zeros(seen.shape, device=seen.device).masked_fill(~seen, -torch.inf)


class PastAlone(nn.Module):
    """Every token sees itself and those before it. Padding comes last, so that hides it from all others."""

    mask: Tensor

    def __init__(self, tokens: Stream) -> None:
        super().__init__()
        seen = torch.ones(tokens.length, tokens.length).tril() > 0
        self.register_buffer("mask", hidden(seen), persistent=False)

    def forward(self, x: Tensor, streams: Mapping[str, Tensor]) -> tuple[Tensor, Tensor]:
        """[B, L, D] -> what the trunk is given, those tokens first, and its mask."""
        return x, self.mask


class PastAndBoard(nn.Module):
    """The squares of the board as S further tokens, which see each other. Only the last move's last token
    sees them: to those before it the board, which all the moves made, would tell the future."""

    causal: Tensor
    places: Tensor

    def __init__(self, tokens: Stream, board: Stream, width: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.randn(board.vocabulary, width) * SMALL)
        self.place = nn.Parameter(torch.randn(board.length, width) * SMALL)
        causal = torch.ones(tokens.length, tokens.length).tril() > 0
        self.register_buffer("causal", causal, persistent=False)
        self.register_buffer("places", torch.arange(tokens.length), persistent=False)

    def forward(self, x: Tensor, streams: Mapping[str, Tensor]) -> tuple[Tensor, Tensor]:
        """[B, L, D] -> [B, L + S, D] and a mask [B, 1, L + S, L + S]."""
        squares = nn.functional.embedding(streams["board"], self.table) + self.place
        batch, count = squares.shape[:2]
        last = self.places == COMPONENTS * streams["known"][:, None]
        of_tokens = torch.cat([self.causal.expand(batch, -1, -1), last[:, :, None].expand(-1, -1, count)], 2)
        of_squares = torch.cat([torch.zeros_like(last), last.new_ones(batch, count)], 1)
        seen = torch.cat([of_tokens, of_squares[:, None].expand(-1, count, -1)], 1)
        return torch.cat([x, squares.to(x.dtype)], 1), hidden(seen)[:, None]


class SequenceNet(nn.Module):
    """Tokens with a learned vector for each place; `context` says what they see; `head` gets what stands
    after `<start>` and after each move [B, H + 1, D], ending at the right as a row's past does: the last is
    about the row's own move, the one before it about the last past move."""

    moves: Tensor

    def __init__(
        self, *, tokens: Stream, width: int, context: nn.Module, trunk: nn.Module, head: nn.Module
    ) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.randn(tokens.vocabulary, width) * SMALL)
        self.place = nn.Parameter(torch.randn(tokens.length, width) * SMALL)
        self.context, self.trunk, self.head = context, trunk, head
        self.register_buffer("moves", torch.arange(tokens.length // COMPONENTS + 1), persistent=False)

    def forward(self, streams: Mapping[str, Tensor]) -> dict[str, Tensor]:
        x = nn.functional.embedding(streams["tokens"], self.table) + self.place
        x = self.trunk(*self.context(x, streams))
        after = x[:, : len(self.place) : COMPONENTS]
        unknown = len(self.moves) - 1 - streams["known"]
        at = (self.moves - unknown[:, None]).clamp(min=0)
        out: dict[str, Tensor] = self.head(after.gather(1, at[:, :, None].expand_as(after)))
        return out
