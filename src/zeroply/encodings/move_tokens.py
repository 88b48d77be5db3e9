"""The moves of a game as a sequence of tokens, one for each coordinate: `<start> fx1 fy1 tx1 ty1 fx2 …`.

Shapes: B batch, H past moves, K coordinates of a move, S squares.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Stream
from zeroply.encodings.board import board_stream, codes, not_turned
from zeroply.games import Game, Rows
from zeroply.games.coordinates import coordinates

PAD, START, UNKNOWN = range(3)
"""`<pad>`, `<start>`, `<unk>`; the last is in seed 002's vocabulary and in none of our sequences."""
SPECIAL = 3


class MoveTokens(nn.Module):
    """`tokens` [B, 1 + K H]: `<start>`, the known past moves, and `<pad>` up to the end; `known` [B], how
    many moves these are. Files and ranks left and reached, and promotions in chess, have tokens of their own,
    in that order, always as the first player sees the board. Of longer games the oldest moves are dropped."""

    components: Tensor
    places: Tensor

    def __init__(self, game: Game, *, history: int) -> None:
        super().__init__()
        self.history = history
        self.reads: tuple[str, ...] = ("past",)
        vocabulary, components = SPECIAL, []
        for coordinate in coordinates(game):
            components.append(torch.as_tensor(coordinate.of) + vocabulary)
            vocabulary += coordinate.size
        self.streams: Mapping[str, Stream] = {
            "tokens": Stream(length=1 + len(components) * history, vocabulary=vocabulary)
        }
        self.register_buffer("components", torch.stack(components, 1), persistent=False)
        self.register_buffer("places", torch.arange(history), persistent=False)

    def forward(self, rows: Rows) -> dict[str, Tensor]:
        past = rows["past"].long()
        known = (past >= 0).sum(1)
        # A row's past ends at the right; a sequence begins at the left.
        at = self.places + self.history - known[:, None]
        moves = past.gather(1, at.clamp(max=self.history - 1))
        tokens = torch.where(
            (self.places < known[:, None])[:, :, None], self.components[moves.clamp(min=0)], PAD
        )
        start = torch.full_like(known[:, None], START)
        return {
            "tokens": torch.cat([start, tokens.flatten(1)], 1),
            "known": known,
            "flipped": not_turned(rows),
        }


class MoveTokensAndBoard(MoveTokens):
    """Beside the sequence the board that it led to: `board` [B, S], piece codes counted from 0."""

    def __init__(self, game: Game, *, history: int) -> None:
        super().__init__(game, history=history)
        self._game = game
        self.reads = ("past", "board")
        self.streams = {**self.streams, "board": board_stream(game)}

    def forward(self, rows: Rows) -> dict[str, Tensor]:
        return {**super().forward(rows), "board": codes(rows, self._game)}
