"""All that a chess position is as tokens with few states each: squares, flags, a repetition and two clocks.

Shapes: B batch, S squares.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Stream
from zeroply.encodings.board import board_stream
from zeroply.encodings.rights import count_of_rights, told_rights, turned_rights
from zeroply.games import Game, Rows

OCCURRENCES = 4
"""Earlier occurrences that are told apart: 0, 1, 2 and, where nobody claimed the draw, more."""
HALFMOVE_UNIT, FULLMOVE_UNIT = 50.0, 100.0
HALFMOVE_MOST = 2.0
"""In units: the fifty-move rule. Beyond it nothing new can be said, and high powers of it would explode."""


class Facing(StrEnum):
    """Who sees the board."""

    mover = "mover"
    """Squares from the far rank to the mover's own; pieces, rights and turn are his and the enemy's."""
    absolute = "absolute"
    """Squares from the last rank to the first; pieces, rights and turn are White's and Black's."""


class PositionTokens(nn.Module):
    """Streams, in the order of the tokens:

    squares   [B, S] 0 empty, then the kinds of the first (own) and of the second (enemy) side
    flags     [B, 14] turn, the rights of both sides, whether en passant is possible, on which file
    repeats   [B, 1] earlier occurrences, at most 3
    halfmove  [B, 1, 1] the clock / 50
    fullmove  [B, 1, 1] the number of the move / 100

    Who faces the mover sees him move always: there the flag of the turn is the same in all positions.
    """

    history = 0
    reads: tuple[str, ...] = ("board", "turn", "rights", "en_passant", "halfmove", "repeats", "ply")
    mirror: Tensor

    def __init__(self, game: Game, *, facing: Facing) -> None:
        super().__init__()
        self._facing, self._kinds, self._files = facing, game.kinds, game.files
        self.streams: Mapping[str, Stream] = {
            "squares": replace(board_stream(game), squares=tuple(game.mirror.tolist())),
            "flags": Stream(length=1 + count_of_rights(game), vocabulary=2),
            "repeats": Stream(length=1, vocabulary=OCCURRENCES),
            "halfmove": Stream(length=1, width=1),
            "fullmove": Stream(length=1, width=1),
        }
        self.register_buffer("mirror", torch.as_tensor(game.mirror), persistent=False)

    def forward(self, rows: Rows) -> dict[str, Tensor]:
        turn = rows["turn"].long()
        flipped = (turn == 1) & (self._facing == Facing.mover)
        board = rows["board"].long()
        # Rows begin with the first rank, tokens with the far one: it is Black's board that needs no mirror.
        board = torch.where(flipped[:, None], -board, board[:, self.mirror])
        to_move = torch.where(flipped, 0, turn)[:, None]
        rights = told_rights(rows["rights"], rows["en_passant"], self._files)
        halfmove = (rows["halfmove"].float() / HALFMOVE_UNIT).clamp(max=HALFMOVE_MOST)
        fullmove = (1 + rows["ply"].long() // 2) / FULLMOVE_UNIT
        return {
            "squares": torch.where(board < 0, self._kinds - board, board),
            "flags": torch.cat([to_move, turned_rights(rights, flipped, self._files)], 1),
            "repeats": rows["repeats"].long().clamp(max=OCCURRENCES - 1)[:, None],
            "halfmove": halfmove[:, None, None],
            "fullmove": fullmove[:, None, None],
            "flipped": flipped,
        }
