"""What a net's attention does with a position, on the board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zeroply.apps.picture import picture
from zeroply.corpus.told import told
from zeroply.errors import ArtefactError
from zeroply.games import Position
from zeroply.players.base import OpenNetwork
from zeroply.players.kinds import player_of

PLIES = 16
"""Of its own play, after which a net is looked into where no position is asked for."""
SHOWN = 3
"""Moves with arrows."""


def own_position(network: OpenNetwork, plies: int = PLIES) -> Position:
    """Where a net comes to that plays both sides at its best."""
    player, position = player_of(network), network.game.start()
    for _ in range(plies):
        if position.result() is None:
            position = position.play(player.choose([position])[0])
    return position


def looked_at(network: OpenNetwork, position: Position, square: int) -> NDArray[np.float64] | None:
    """[S] how much a square looks at each other, mean over layers and heads; None of a net whose tokens are
    not just the squares of the board."""
    game, player = network.game, player_of(network)
    try:
        inside = network.look_inside(position.row(network.history) | told(1, **player.told))
    except (ArtefactError, KeyError):  # a file without it; an encoding that turns no board
        return None
    squares = game.files * game.ranks
    if not inside.attention or any(layer.shape[-1] != squares for layer in inside.attention):
        return None
    mean: NDArray[np.float64] = np.stack([layer[0].mean(0) for layer in inside.attention]).mean(0)
    seen = game.mirror if inside.flipped[0] else np.arange(squares)
    found: NDArray[np.float64] = mean[seen[square]][seen]
    return found


def attention_picture(network: OpenNetwork, position: Position) -> str | None:
    """The board, its likeliest moves, and where the piece looks that it would move."""
    game = network.game
    glance = player_of(network).glance([position])[0]
    heat = looked_at(network, position, int(game.moves.start[glance.moves[0]]))
    if heat is None:
        return None
    weighed = list(zip(glance.moves[:SHOWN].tolist(), glance.probabilities[:SHOWN].tolist(), strict=True))
    return picture(game, position, weighed, heat.tolist())
