"""A chess position as words of one closed vocabulary: seed 004's squares, extra tokens and CLS.

Shapes: B batch, S squares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Stream
from zeroply.encodings.board import board_stream, codes, not_turned
from zeroply.games import Game, Rows

COLOURS, CASTLINGS, CHECKS = 2, 4, 2
"""Words for who moves; for a side that may castle nowhere, short, long, both ways; for no check and check."""


class BoardTokens(nn.Module):
    """One stream, `tokens` [B, S + 5]: the squares from a1 on, as White sees them whoever is to move; the
    colour to move; White's and Black's castling; whether the mover is in check; CLS, always the same.

    The vocabulary in order: piece codes from -kinds to kinds, colours, castlings, checks, CLS. `in_check` is
    to find the movers in check [B] by tensor operations: it becomes part of the exported graph.
    """

    history = 0
    reads: tuple[str, ...] = ("board", "turn", "rights")

    def __init__(self, game: Game, *, in_check: Callable[[Rows], Tensor]) -> None:
        super().__init__()
        self._game, self._in_check = game, in_check
        board = board_stream(game)
        self._colours = board.vocabulary
        self._castlings = self._colours + COLOURS
        self._checks = self._castlings + CASTLINGS
        self._cls = self._checks + CHECKS
        self.streams: Mapping[str, Stream] = {
            "tokens": Stream(length=board.length + 5, vocabulary=self._cls + 1, squares=board.squares)
        }

    def forward(self, rows: Rows) -> dict[str, Tensor]:
        rights = rows["rights"].long()
        turn = rows["turn"].long()[:, None]
        tokens = [
            codes(rows, self._game),
            self._colours + turn,
            self._castlings + rights[:, 0::2] + 2 * rights[:, 1::2],
            self._checks + self._in_check(rows).long()[:, None],
            torch.full_like(turn, self._cls),
        ]
        return {"tokens": torch.cat(tokens, 1), "flipped": not_turned(rows)}
