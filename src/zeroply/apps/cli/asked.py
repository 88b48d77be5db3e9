"""The options by which commands ask for a model of a game, and the net that comes of them."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from zeroply.players.base import Network

GameIfAny = Annotated[
    str | None, typer.Option(help="chess (if left out) or xiangqi: its bundled model is asked.")
]
ModelIfAny = Annotated[
    str | None,
    typer.Option(help="Another model: a run folder, a checkpoint, an .onnx file. It knows its game."),
]
Elo = Annotated[int | None, typer.Option(help="Play like someone of this rating, where the model knows any.")]

Look = Annotated[
    str | None,
    typer.Option(
        help="policy, or successors: weighed by what the net expects after each move, one ply ahead."
    ),
]


def asked_rating(network: "Network", elo: int | None) -> int | None:
    """Whom the net should play like."""
    from zeroply.players.ratings import asked

    return asked(network, elo, f"--elo {elo}")


def asked_network(game: str | None, model: str | None) -> "tuple[str, Network]":
    """The model by the name that it was asked for, or the bundled one of the game."""
    from zeroply.games import game_named
    from zeroply.players.load import network_for

    name = model or game or "chess"
    return name, network_for(name, None if game is None else game_named(game))
