"""What the move to come leaves of castling and en passant, in the absolute frame.

Shapes: B batch, D width.
"""

from __future__ import annotations

from torch import Tensor, nn

from zeroply.encodings.base import Streams
from zeroply.encodings.rights import count_of_rights, turned_rights
from zeroply.games import Game


class Rights(nn.Module):
    """Logits of the castling rights (K Q k q), of an en passant capture and of its file: 13 in chess."""

    def __init__(self, game: Game, width: int) -> None:
        super().__init__()
        self.files = game.files
        self.logits = nn.Linear(width, count_of_rights(game))

    def forward(self, x: Tensor, streams: Streams) -> dict[str, Tensor]:
        """[B, D] -> `next_rights` [B, 13]."""
        return {"next_rights": turned_rights(self.logits(x).float(), streams["flipped"], self.files)}
