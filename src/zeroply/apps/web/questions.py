"""Questions about one position: what a net would play, and where it looks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from zeroply.apps.web.asked import asked_player
from zeroply.apps.web.messages import Attention, AttentionOf, Predict, PredictedMove, Prediction
from zeroply.errors import IllegalMoveError
from zeroply.games.line import follow
from zeroply.players.base import Network
from zeroply.players.inside import attention_on_board, layers_with_squares

DIGITS = 5
"""Of a weight: a board of colours shows no more, and 8,100 numbers are to be sent."""


def predict(networks: Mapping[str, Network], request: Predict) -> Prediction:
    player = asked_player(networks, request.model, request.rating)
    game = player.network.game
    position = follow(game.start(request.fen), request.moves)
    if not len(position.legal()):
        raise IllegalMoveError(f"there is nothing to play in {position.fen()}: {position.reason()}")
    (glance,) = player.glance([position])
    best = zip(glance.moves[: request.top].tolist(), glance.probabilities.tolist(), strict=False)
    return Prediction(
        moves=[
            PredictedMove(
                move=game.moves.names[move], notation=position.notation(move), probability=probability
            )
            for move, probability in best
        ],
        wdl=glance.wdl,
        expected=glance.expected,
    )


def attention(networks: Mapping[str, Network], request: AttentionOf) -> Attention:
    player = asked_player(networks, request.model, request.rating)
    network = player.network
    position = follow(network.game.start(request.fen), request.moves)
    weights = attention_on_board(network, position, player.told, layer=request.layer, head=request.head)
    layers, heads = sizes(network)
    return Attention(
        layers=layers or 0,
        heads=heads or 0,
        weights=np.round(weights.astype(np.float64), DIGITS).tolist(),
    )


def sizes(network: Network) -> tuple[int | None, int | None]:
    """Layers and heads of attention that can be shown on the board."""
    shown = layers_with_squares(network)
    return (len(shown), min(layer.heads for layer in shown.values())) if shown else (None, None)
