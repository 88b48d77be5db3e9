"""Where a net looks, on the board as everyone sees it: which square attends to which.

Shapes: S squares.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.told import told
from zeroply.errors import ZeroplyError
from zeroply.games import Position
from zeroply.players.base import Layer, Network, OpenNetwork


def layers_with_squares(network: Network) -> dict[int, Layer]:
    """The layers that can be shown on a board, by their numbers; others look only at past moves."""
    if not isinstance(network, OpenNetwork):
        return {}
    return {number: layer for number, layer in enumerate(network.layers) if layer.squares}


def attention_on_board(
    network: Network, position: Position, persona: Mapping[str, int], *, layer: int, head: int | None
) -> NDArray[np.float32]:
    """[S, S] how much each square looks at each other; what falls on tokens that are no squares is left out,
    so rows sum to 1 at most. Squares are counted from the first player's left, rank by rank, whoever is to
    move. `layer` counts those with squares; without a `head` it is the mean of all."""
    shown = layers_with_squares(network)
    if not isinstance(network, OpenNetwork) or not shown:
        raise ZeroplyError("this model does not show where it looks: none of its attention is on squares")
    if not 0 <= layer < len(shown):
        raise ZeroplyError(f"there is no layer {layer}. Layers are 0 to {len(shown) - 1}")
    number, known = list(shown.items())[layer]
    if head is not None and not 0 <= head < known.heads:
        raise ZeroplyError(f"there is no head {head}. Heads are 0 to {known.heads - 1}")
    inside = network.look_inside(position.row(network.history) | told(1, **persona))
    heads = inside.attention[number][0]
    weights = heads.mean(0) if head is None else heads[head]
    tokens = np.array(known.squares)
    if inside.flipped[0]:
        tokens = tokens[network.game.mirror]
    on_board: NDArray[np.float32] = weights[np.ix_(tokens, tokens)]
    return on_board
