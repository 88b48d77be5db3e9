"""Squares as tokens, seen as White sees them whoever is to move: seed 003's 64 × 18 zeros and ones."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Stream
from zeroply.games import Game, Rows

PAWN = 1
"""The code of White's; Black's is negative."""


class AbsoluteSquares(nn.Module):
    """One stream, `squares` [B, S, F]. Features of a square: White's piece kinds, Black's; alike on all
    squares whether White is to move and the castling rights K Q k q; whether a pawn may be taken there en
    passant.

    Beside it, for what is made of the net's answers, `second` [B], whether the second player is to move, and
    `promoting` [B, S], where a pawn stands that promotes if it moves.
    """

    everywhere: Tensor
    pieces: Tensor
    before_last: Tensor

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.history = 0
        self.reads: tuple[str, ...] = ("board", "turn", "rights", "en_passant")
        squares, kinds = game.files * game.ranks, range(1, game.kinds + 1)
        pieces = torch.tensor([*kinds, *(-kind for kind in kinds)])
        width = len(pieces) + 1 + game.columns["rights"].shape[0] + 1
        self.streams: Mapping[str, Stream] = {"squares": Stream(length=squares, width=width)}
        self.register_buffer("everywhere", torch.arange(squares), persistent=False)
        self.register_buffer("pieces", pieces, persistent=False)
        ranks = torch.arange(squares) // game.files
        pawns = PAWN * (ranks == game.ranks - 2).long() - PAWN * (ranks == 1).long()
        self.register_buffer("before_last", pawns, persistent=False)

    def forward(self, rows: Rows) -> dict[str, Tensor]:
        board = rows["board"].long()
        second = rows["turn"] == 1
        overall = torch.cat([~second[:, None], rows["rights"] == 1], 1)
        features = [
            board[:, :, None] == self.pieces,
            overall[:, None, :].expand(-1, board.shape[1], -1),
            (rows["en_passant"].long()[:, None] == self.everywhere)[:, :, None],
        ]
        return {
            "squares": torch.cat(features, 2).float(),
            "second": second,
            "promoting": (board == self.before_last) & (board != 0),
            "flipped": torch.zeros_like(second),
        }
