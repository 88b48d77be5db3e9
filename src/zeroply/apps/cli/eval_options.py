"""What the commands of `zeroply eval` take alike."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zeroply.apps.cli.asked import asked_rating
from zeroply.apps.cli.show import progress
from zeroply.errors import ZeroplyError

if TYPE_CHECKING:
    from zeroply.players.base import Network
    from zeroply.players.net import NetPlayer


class Mode(StrEnum):
    """Two ways to ask one net."""

    best = "best"
    human = "human"


Model = Annotated[str, typer.Argument(help="A bundled name, a run folder, a checkpoint or an .onnx file.")]
Games = Annotated[Path, typer.Argument(help="A corpus; its test part is used.")]
Limit = Annotated[
    int | None, typer.Option(min=1, help="So many positions of whole games, or puzzles, at random.")
]
Movers = Annotated[Mode, typer.Option("--mode", help="human: each mover's own rating, or --elo.")]
AtItsBest = Annotated[Mode, typer.Option("--mode", help="best: as strong as it can.")]
Elo = Annotated[int | None, typer.Option(help="In human mode: whom the net should play like.")]
Rules = Annotated[
    bool, typer.Option("--rules", help="With the rules' help: a mate in one is played, a won game not drawn.")
]
Seed = Annotated[int, typer.Option(min=0, help="Of the draw.")]
Json = Annotated[Path | None, typer.Option("--json", help="Write the numbers to this file.")]


def rating_of(network: "Network", mode: Mode, elo: int | None) -> int | None:
    """Whom the net should play like, None for as well as it can: in human mode --elo, or someone unrated."""
    from zeroply.corpus.told import UNRATED

    if mode is Mode.best and elo is not None:
        raise ZeroplyError(f"--elo {elo} is for --mode human; in best mode the net plays as well as it can")
    return None if mode is Mode.best else asked_rating(network, UNRATED if elo is None else elo)


def told_like(network: "Network", mode: Mode, elo: int | None) -> "NetPlayer | None":
    """The player whose view of the players the net is told; None for who each mover really is."""
    from zeroply.players.kinds import player_of

    rating = rating_of(network, mode, elo)
    return None if mode is Mode.human and elo is None else player_of(network, rating=rating)


def asked(model: str, mode: Mode, like: "NetPlayer | None") -> dict[str, Any]:
    """What a measure on a corpus tells of how the net was asked."""
    return {"model": model, "mode": mode.value, "rating": like and like.told["rating"], "rules": False}


def player_and_about(
    model: str, mode: Mode, elo: int | None, rules: bool, best: str
) -> "tuple[NetPlayer, dict[str, Any]]":
    """The player of a model, at its best like the `Kind` that is called so, and what is told of it."""
    from zeroply.corpus.score import Kind
    from zeroply.players.kinds import player_of
    from zeroply.players.load import load_network
    from zeroply.players.rules import HELPS

    network = load_network(model)
    helps = HELPS if rules else ()
    player = player_of(
        network, name=model, rating=rating_of(network, mode, elo), best=Kind[best], helps=helps
    )
    return player, {
        "model": model,
        "mode": mode.value,
        "look": player.look,
        "rating": player.told["rating"],
        "kind": Kind(player.told["kind"]).name if "kind" in network.reads else None,
        "rules": rules,
    }


def positions(batches: Any, total: int) -> Any:
    """A bar that counts the rows of batches."""
    return progress("positions", batches, total, sizes=True)
