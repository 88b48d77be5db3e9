"""A position as its record shows it: the moves that led here, the board and the rights. Nothing is turned.

Shapes: B batch, H past moves, S squares.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Stream
from zeroply.encodings.board import board_stream, codes, not_turned
from zeroply.errors import RecipeError
from zeroply.games import Game, Rows

RIGHTS = 6
"""K, Q, k, q, an en passant capture, White to move: the last field of seed 000's lines."""


class MovesAndBoard(nn.Module):
    """Three streams, and `padding` for the first of them.

    - `past` [B, H]: the numbers of the last H moves, oldest first, so that the last move is always the last
      token. M, one more than any move, stands where there is none.
    - `padding` [B, H]: true where there is no token to look at. A game's first position has one all the same,
      the M at the end: "no move yet".
    - `board` [B, S]: piece codes from 0 on, the empty square in the middle.
    - `rights` [B, 1, 6]: zeros and ones.
    """

    def __init__(self, game: Game, *, history: int) -> None:
        super().__init__()
        if history < 1:
            raise RecipeError(f"history={history} leaves no room for the last move. Choose at least 1")
        self.history = history
        self.reads: tuple[str, ...] = ("board", "turn", "rights", "en_passant", "past")
        self._game, self._none = game, len(game.moves)
        self.streams: Mapping[str, Stream] = {
            "past": Stream(length=history, vocabulary=len(game.moves) + 1),
            "board": board_stream(game),
            "rights": Stream(length=1, width=RIGHTS),
        }

    def forward(self, rows: Rows) -> dict[str, Tensor]:
        past, turn = rows["past"].long(), rows["turn"][:, None]
        missing = past < 0
        rights = torch.cat([rows["rights"].bool(), rows["en_passant"][:, None] >= 0, turn == 0], 1)
        return {
            "past": torch.where(missing, self._none, past),
            "padding": torch.cat([missing[:, :-1], torch.zeros_like(missing[:, -1:])], 1),
            "board": codes(rows, self._game),
            "rights": rights.float()[:, None, :],
            "flipped": not_turned(rows),
        }
