"""A move's coordinates, each answered by itself; a move is as likely as all of them together.

Shapes: B batch, L tokens, H past moves, D width, M moves.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from zeroply.encodings.base import Streams
from zeroply.games import Game
from zeroply.games.coordinates import coordinates


class Coordinates(nn.Module):
    """Log-probabilities of `from_x`, `from_y`, `to_x`, `to_y` and, in chess, `promotion` after `<start>` and
    after each move, and of all moves, `policy`, after the last: their sum. What they give to pairs of squares
    that are no move stays off the table.

    Answers end at the right, as a row's past does: the last is about the row's own move, the one before it
    about the last past move.
    """

    moves: Tensor

    def __init__(self, game: Game, width: int, *, history: int) -> None:
        super().__init__()
        self.heads = nn.ModuleDict()
        for coordinate in coordinates(game):
            self.heads[coordinate.name] = nn.Linear(width, coordinate.size)
            self.register_buffer(coordinate.name, torch.as_tensor(coordinate.of), persistent=False)
        self.register_buffer("moves", torch.arange(history + 1), persistent=False)

    def forward(self, x: Tensor, streams: Streams) -> dict[str, Tensor]:
        """[B, L, D] -> for each coordinate [B, H + 1, its values], and [B, M]."""
        unknown = len(self.moves) - 1 - streams["known"]
        at = len(self.heads) * (self.moves - unknown[:, None]).clamp(min=0)
        after = x.gather(1, at[:, :, None].expand(-1, -1, x.shape[2]))
        out = {name: head(after).float().log_softmax(-1) for name, head in self.heads.items()}
        shares = [part[:, -1][:, getattr(self, name)] for name, part in out.items()]
        return {"policy": sum(shares[1:], shares[0]), **out}
