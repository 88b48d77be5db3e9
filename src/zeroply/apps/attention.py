"""What a net's attention does with a position, on the board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zeroply.apps.picture import picture
from zeroply.games import Position
from zeroply.players.base import Network
from zeroply.players.chosen import player_of
from zeroply.players.inside import attention_on_board, layers_with_squares

PLIES = 16
"""Of its own play, after which a net is looked into where no position is asked for."""
SHOWN = 3
"""Moves with arrows."""


def own_position(network: Network, plies: int = PLIES) -> Position:
    """Where a net comes to that plays both sides at its best."""
    player, position = player_of(network), network.game.start()
    for _ in range(plies):
        if position.result() is None:
            position = position.play(player.choose([position])[0])
    return position


def looked_at(network: Network, position: Position, square: int) -> NDArray[np.float64] | None:
    """[S] how much a square looks at each other, mean over layers and heads; None of a net that does not show
    it on squares."""
    persona = player_of(network).told
    layers = range(len(layers_with_squares(network)))
    seen = [
        attention_on_board(network, position, persona, layer=layer, head=None)[square] for layer in layers
    ]
    return np.mean(seen, axis=0, dtype=np.float64) if seen else None


def attention_picture(network: Network, position: Position) -> str | None:
    """The board, its likeliest moves, and where the piece looks that it would move."""
    game = network.game
    glance = player_of(network).glance([position])[0]
    heat = looked_at(network, position, int(game.moves.start[glance.moves[0]]))
    if heat is None:
        return None
    weighed = list(zip(glance.moves[:SHOWN].tolist(), glance.probabilities[:SHOWN].tolist(), strict=True))
    return picture(game, position, weighed, heat.tolist())
