"""What the commands of `zeroply eval` take alike."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zeroply.apps.cli.asked import asked_rating
from zeroply.apps.cli.show import progress
from zeroply.apps.cli.targets import target
from zeroply.errors import ZeroplyError

if TYPE_CHECKING:
    from zeroply.games import Game
    from zeroply.players.base import Network, Player
    from zeroply.players.model_spec import ModelSpec
    from zeroply.players.net import NetPlayer


class Mode(StrEnum):
    """Two ways to ask one net."""

    best = "best"
    human = "human"


Model = Annotated[str, typer.Argument(help="A bundled name, a run folder, a checkpoint or an .onnx file.")]
AnyPlayer = Annotated[
    str,
    typer.Argument(
        help="A MODEL, random, greedy, 'uci:stockfish depth=5 UCI_Elo=1500', 'ucci:…'; with options: "
        "'chess look=successors'."
    ),
]
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
Json = Annotated[Path | None, target("--json", "Write the numbers to this file.")]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Who is measured, and how, as on a command line."""

    model: str
    mode: Mode
    elo: int | None = None
    rules: bool = False
    limit: int | None = None
    seed: int = 0
    game: str | None = None
    """Of one who has none of his own: an engine. Chess where it is not said."""
    patience: float = 60.0
    """Seconds for which an engine may be silent."""


def cores() -> int:
    """For the net, which alone is at work: all that this process may use, or as many as OMP_NUM_THREADS says
    to all programs of its kind."""
    said = os.environ.get("OMP_NUM_THREADS", "")
    if said.isdecimal() and int(said):
        return int(said)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def rating_of(network: "Network", mode: Mode, elo: int | None) -> int | None:
    """Whom the net should play like, None for as well as it can: in human mode --elo, or someone unrated."""
    from zeroply.corpus.told import UNRATED

    if mode is Mode.best and elo is not None:
        raise ZeroplyError(f"--elo {elo} is for --mode human; in best mode the net plays as well as it can")
    return None if mode is Mode.best else asked_rating(network, UNRATED if elo is None else elo)


def told_like(network: "Network", mode: Mode, elo: int | None) -> "NetPlayer | None":
    """The player whose view of the players the net is told; None for who each mover really is."""
    from zeroply.players.chosen import player_of

    rating = rating_of(network, mode, elo)
    return None if mode is Mode.human and elo is None else player_of(network, rating=rating)


def net_and_about(asked: Asked) -> "tuple[Network, NetPlayer | None, dict[str, Any]]":
    """A net that is measured on a corpus, the player that it is told to be, and what is told of both."""
    from zeroply.players.load import UnknownModelError, load_network
    from zeroply.players.spec import net_identity

    try:
        network = load_network(asked.model, threads=cores())
    except UnknownModelError:
        model, *options = asked.model.split() or [""]
        if not any("=" in option for option in options):
            raise
        raise ZeroplyError(
            f"'{asked.model}' has options, and a model without any is measured on a corpus. Give {model}, "
            "and whom it should play like by --mode and --elo"
        ) from None
    like = told_like(network, asked.mode, asked.elo)
    return (
        network,
        like,
        {
            "model": asked.model,
            "program": net_identity(asked.model, network),
            "mode": asked.mode.value,
            "rating": like and like.told["rating"],
            "rules": False,
        },
    )


@contextmanager
def player_and_about(asked: Asked, best: str) -> "Iterator[tuple[Player, Game, dict[str, Any]]]":
    """The player of a model, at its best like the `Kind` that is called so, or any other player, as in a
    match; its game; and what is told of it."""
    from zeroply.games import game_named
    from zeroply.players.spec import model_asked

    game = None if asked.game is None else game_named(asked.game)
    model = model_asked(asked.model, game, threads=cores())
    if model is not None:
        spec, network = model
        game = network.game
        player, about = _net_player(asked, spec, network, best)
    else:
        game = game or game_named("chess")
        player, about = _other_player(asked, game)
    with closing(player):
        yield player, game, about


def _net_player(
    asked: Asked, spec: "ModelSpec", network: "Network", best: str
) -> "tuple[Player, dict[str, Any]]":
    from zeroply.corpus.score import Kind
    from zeroply.players.rules import HELPS
    from zeroply.players.spec import net_identity

    rating = rating_of(network, asked.mode, asked.elo)
    if asked.mode is Mode.human and "rating" in spec.options:
        raise ZeroplyError(
            f"'{asked.model}' names its rating, and --mode human one more. Leave out one of them"
        )
    helps = HELPS if asked.rules else ()
    # The likeliest move counts, of a person too: what is measured is the net, not its luck.
    player = spec.player(network, rating=rating, temperature=0.0, best=Kind[best], helps=helps)
    return player, {
        "model": asked.model,
        "program": net_identity(spec.model, network),
        "mode": (Mode.human if "rating" in spec.options else asked.mode).value,
        "look": player.look,
        "temperature": player.drawing.temperature,
        "rating": player.told["rating"],
        "kind": Kind(player.told["kind"]).name if "kind" in network.reads else None,
        "rules": asked.rules,
    }


def _other_player(asked: Asked, game: "Game") -> "tuple[Player, dict[str, Any]]":
    """An engine, `random` or `greedy`."""
    from zeroply.players.spec import about, parse_player

    if asked.mode is Mode.human or asked.elo is not None:
        raise ZeroplyError(
            f"--mode human and --elo are for models, not for '{asked.model}'. "
            "Say it with the player: 'uci:stockfish UCI_Elo=1500'"
        )
    player = parse_player(asked.model, game, patience=asked.patience)
    return player, {"model": asked.model, **about(player)}


def positions(batches: Any, total: int) -> Any:
    """A bar that counts the rows of batches."""
    return progress("positions", batches, total, sizes=True)
