"""Commands that ask a model for moves: predict, uci, ucci, serve."""

from typing import TYPE_CHECKING, Annotated

import typer

from zeroply.apps.cli.show import print_json, table

if TYPE_CHECKING:
    from zeroply.players import Glance

app = typer.Typer()

Model = Annotated[str, typer.Option(help="A bundled name, a run folder, a checkpoint or an .onnx file.")]


@app.command()
def predict(
    fen: Annotated[str | None, typer.Argument(help="A position; the usual first one if left out.")] = None,
    moves: Annotated[str, typer.Option(help='Moves from there: "e2e4 e7e5".')] = "",
    game: Annotated[
        str | None, typer.Option(help="chess (if left out) or xiangqi: its bundled model is asked.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(help="Another model: a run folder, a checkpoint, an .onnx file. It knows its game."),
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="How many moves to show.")] = 5,
    elo: Annotated[
        int | None, typer.Option(min=0, max=4000, help="Play like someone of this rating.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """What the model would play in a position, and who it thinks will win."""
    from zeroply.errors import ZeroplyError
    from zeroply.games import game_named
    from zeroply.games.line import follow
    from zeroply.players.kinds import player_of
    from zeroply.players.load import load_network, network_for

    network = load_network(model or "chess") if game is None else network_for(model or game, game_named(game))
    position = follow(network.game.start(fen), moves.split())
    if not len(position.legal()):
        raise ZeroplyError(f"there is no move in {position.fen()}: {position.reason()}")
    player = player_of(network, rating=elo)
    glance = player.glance([position])[0]
    best = [
        (int(move), float(share)) for move, share in zip(glance.moves, glance.probabilities, strict=True)
    ][:top]
    names = network.game.moves.names
    if as_json:
        shown = [{"move": names[move], "probability": share} for move, share in best]
        print_json({"moves": shown, "wdl": glance.wdl, "expected": glance.expected, "look": player.look})
        return
    table(
        "\n".join([position.fen(), *_expectation(glance)]),
        ("move", "", "probability"),
        [(names[move], position.notation(move), f"{share:.1%}") for move, share in best],
    )


def _expectation(glance: "Glance") -> list[str]:
    """One line, or none where the net knows nothing of it."""
    if glance.wdl is not None:
        win, draw, loss = glance.wdl
        return [f"win {win:.1%}  draw {draw:.1%}  loss {loss:.1%} for the side to move"]
    return [] if glance.expected is None else [f"{glance.expected:.1%} of the points for the side to move"]


@app.command()
def uci(model: Model = "chess") -> None:
    """A UCI engine on standard input and output, for any chess program."""
    from zeroply.apps.uci import run

    run(model)


@app.command()
def ucci(model: Model = "xiangqi") -> None:
    """A UCCI engine on standard input and output, for any program for Chinese chess."""
    from zeroply.apps.ucci import run

    run(model)


@app.command()
def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to listen on this machine.")] = 8000,
    host: Annotated[
        str, typer.Option(help="Whom to listen to; by default this machine alone.")
    ] = "127.0.0.1",
    model: Annotated[
        list[str] | None,
        typer.Option(help="A model to offer, several times for several; the bundled ones if left out."),
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """The page: play against a model in a browser."""
    from zeroply.apps.web.server import serve as run
    from zeroply.players.load import bundled

    run(model or list(bundled()), host=host, port=port, open_browser=open_browser)
