"""An attention bias for each head, drawn for the position at hand: the smolgen of Leela Chess Zero.

The simpler form, one map for all heads, is `nets.smolgen`.

Shapes: B batch, L tokens, D width, K numbers of a drawing: what Lc0 calls the gen size.
"""

from __future__ import annotations

from torch import Tensor, nn

from zeroply.errors import RecipeError

COMPRESSED = 32
"""Numbers that each token says of itself."""
LOUD = 4.0
"""Factor on the numbers that maps are drawn from, as a net begins: it learns faster with 4 than with 1 or 8
(docs/decisions/0021)."""


class SmolgenPerHead(nn.Module):
    """All tokens, compressed and end to end, become K numbers, and these K for each head; `maps` turns a
    head's K into a map of all pairs of tokens. Heads draw with the same maps, only each its own mixture."""

    def __init__(self, width: int, heads: int, tokens: int, maps: nn.Linear) -> None:
        super().__init__()
        drawing = maps.in_features
        self.heads, self.tokens = heads, tokens
        self.compress = nn.Linear(width, COMPRESSED)
        self.look = nn.Sequential(nn.Linear(tokens * COMPRESSED, drawing), nn.SiLU(), nn.LayerNorm(drawing))
        self.mix = nn.Linear(drawing, heads * drawing)
        self.norm = nn.LayerNorm(drawing)
        nn.init.constant_(self.norm.weight, LOUD)
        self._maps = (maps,)  # a tuple hides them: they belong to all blocks, and are kept by one

    def forward(self, x: Tensor) -> Tensor:
        """[B, L, D] -> [B, heads, L, L], added to the attention logits."""
        seen = self.look(self.compress(x).flatten(1))
        mixture = self.norm(nn.functional.silu(self.mix(seen)).view(-1, self.heads, seen.shape[1]))
        drawn: Tensor = self._maps[0](mixture)
        return drawn.view(-1, self.heads, self.tokens, self.tokens)


class SharedMaps:
    """Makes the smolgen of each of the `blocks` of one trunk, all with the same maps; the first keeps these
    among its parameters, so that they are saved, moved and learned once."""

    def __init__(self, *, blocks: int, width: int, heads: int, tokens: int, drawing: int) -> None:
        maps = nn.Linear(drawing, tokens * tokens)
        self._made = [SmolgenPerHead(width, heads, tokens, maps) for _ in range(blocks)]
        self._made[0].maps = maps
        self._left = iter(self._made)

    def __call__(self) -> nn.Module:
        made = next(self._left, None)
        if made is None:
            raise RecipeError(
                f"these maps are shared by {len(self._made)} blocks of one trunk, and all have theirs. "
                "Make another SharedMaps for another trunk"
            )
        return made
