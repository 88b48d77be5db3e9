"""Squares as tokens, seen as White sees them whoever is to move: seed 003's 64 × 18 zeros and ones."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Stream
from zeroply.encodings.board import board_stream, codes, not_turned
from zeroply.games import Game, Rows


class AbsoluteSquares(nn.Module):
    """- `squares` [B, S, F]. Features of a square: White's piece kinds, Black's; alike on all squares whether
      White is to move and the castling rights K Q k q; whether a pawn may be taken there en passant.
    - For heads, which answer the mover: `board` [B, S], piece codes from 0 on, and `turn` [B, 1].
    """

    everywhere: Tensor
    pieces: Tensor

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.history = 0
        self.reads: tuple[str, ...] = ("board", "turn", "rights", "en_passant")
        self._game, board = game, board_stream(game)
        # Codes of White's pieces, then of Black's, from the pawn on.
        pieces = game.kinds + torch.cat([kinds := torch.arange(1, game.kinds + 1), -kinds])
        alike = range(len(pieces), len(pieces) + 1 + game.columns["rights"].shape[0])
        self.streams: Mapping[str, Stream] = {
            "squares": Stream(
                length=board.length, width=alike.stop + 1, alike=tuple(alike), squares=board.squares
            ),
            "board": board,
            "turn": Stream(length=1, vocabulary=2),
        }
        self.register_buffer("everywhere", torch.arange(board.length), persistent=False)
        self.register_buffer("pieces", pieces, persistent=False)

    def forward(self, rows: Rows) -> dict[str, Tensor]:
        board, turn = codes(rows, self._game), rows["turn"].long()[:, None]
        overall = torch.cat([turn == 0, rows["rights"] == 1], 1)
        features = [
            board[:, :, None] == self.pieces,
            overall[:, None, :].expand(-1, board.shape[1], -1),
            (rows["en_passant"].long()[:, None] == self.everywhere)[:, :, None],
        ]
        return {
            "squares": torch.cat(features, 2).float(),
            "board": board,
            "turn": turn,
            "flipped": not_turned(rows),
        }
