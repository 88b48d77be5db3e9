"""Squares as tokens, facing the mover: each square is a vector of what stands there and what happened there.

Shapes: B batch, S squares, F features, H past moves.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Stream
from zeroply.encodings.told import Told
from zeroply.encodings.turning import swap_sides
from zeroply.games import Frame, Game, Rows


class Squares(nn.Module):
    """One stream, `squares` [B, S, F]. The mover always plays up the board, with pieces of positive code.

    Features of a square: own and enemy piece kinds; a mark for each single-square column (en passant);
    marks where each past move began and ended; and, alike on all squares, the sides' rights, the plain
    numbers, and what is told of the players.
    """

    mirror: Tensor
    start: Tensor
    end: Tensor
    everywhere: Tensor
    pieces: Tensor

    def __init__(self, game: Game, *, history: int, told: Told) -> None:
        super().__init__()
        self.history, self.told = history, told
        self._codes = [code for kind in range(1, game.kinds + 1) for code in (kind, -kind)]
        columns = {
            name: column for name, column in game.columns.items() if name not in ("board", "turn", "ply")
        }
        self._marks = [name for name, column in columns.items() if column.frame is Frame.SQUARE]
        self._sides = [name for name, column in columns.items() if column.frame is Frame.SIDES]
        self._plain = {name: c.scale for name, c in columns.items() if c.frame is Frame.PLAIN}
        self.reads = ("board", "turn", *columns, "past", *told.reads)
        squares = game.files * game.ranks
        sides = sum(columns[name].shape[0] for name in self._sides)
        local = len(self._codes) + len(self._marks) + 2 * history
        width = local + sides + len(self._plain) + told.width
        self.streams: Mapping[str, Stream] = {
            "squares": Stream(
                length=squares,
                width=width,
                alike=tuple(range(local, width)),
                squares=tuple(range(squares)),
            )
        }

        def table(name: str, values: Tensor) -> None:
            self.register_buffer(name, values, persistent=False)

        table("mirror", torch.as_tensor(game.mirror))
        table("start", torch.as_tensor(game.moves.start))
        table("end", torch.as_tensor(game.moves.end))
        table("everywhere", torch.arange(squares))
        table("pieces", torch.tensor(self._codes))

    def forward(self, rows: Rows) -> dict[str, Tensor]:
        flipped = rows["turn"] == 1
        turned = flipped[:, None]
        board = rows["board"].long()
        board = torch.where(turned, -board[:, self.mirror], board)
        past = rows["past"].long()
        local: list[Tensor] = [torch.eq(board[:, :, None], self.pieces)]
        local += [self._mark(rows[name].long()[:, None], turned) for name in self._marks]
        for ends in (self.start, self.end):
            square = torch.where(past < 0, past, ends[past.clamp(min=0)])
            local.append(self._mark(square, turned))
        overall = [swap_sides(rows[name].float(), turned) for name in self._sides]
        overall += [rows[name].float()[:, None] / scale for name, scale in self._plain.items()]
        spread = torch.cat([*overall, self.told(rows)], 1)[:, None, :].expand(-1, board.shape[1], -1)
        squares = torch.cat([*(part.float() for part in local), spread], 2)
        return {"squares": squares, "flipped": flipped}

    def _mark(self, square: Tensor, turned: Tensor) -> Tensor:
        """[B, k] squares (-1 none) -> [B, S, k], true where a square is meant, as the mover sees it."""
        seen = torch.where(turned & (square >= 0), self.mirror[square.clamp(min=0)], square)
        return seen[:, None, :] == self.everywhere[:, None]
