"""An attention bias drawn for the position at hand: which squares matter to each other on this board.

After the smolgen of Leela Chess Zero, in the simpler form of the seed 'Chess Transformer AI'.
"""

from __future__ import annotations

from torch import Tensor, nn


class Smolgen(nn.Module):
    """The CLS token, which is the first, draws one map of all pairs of squares, which come next; all heads
    add it to their own. Pairs with any other token get nothing."""

    def __init__(self, width: int, squares: int) -> None:
        super().__init__()
        self.squares = squares
        self.draw = nn.Linear(width, squares * squares)

    def forward(self, x: Tensor) -> Tensor:
        """[B, L, D] -> [B, 1, L, L], added to the attention logits."""
        drawn = self.draw(x[:, 0]).view(-1, 1, self.squares, self.squares)
        behind = x.shape[1] - 1 - self.squares
        return nn.functional.pad(drawn, (1, behind, 1, behind))
