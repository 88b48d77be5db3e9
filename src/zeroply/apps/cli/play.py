"""Commands that let a model play: play, uci, ucci, serve."""

from pathlib import Path
from typing import Annotated

import typer

from zeroply.apps.cli.asked import Elo, GameIfAny, Look, ModelIfAny, asked_network, asked_rating

app = typer.Typer()

Model = Annotated[str, typer.Option(help="A bundled name, a run folder, a checkpoint or an .onnx file.")]


@app.command()
def play(
    fen: Annotated[
        str | None, typer.Argument(help="Where to begin; the usual first position if left out.")
    ] = None,
    side: Annotated[
        str | None, typer.Option(help="Yours: white, red, black or random; who moves first if left out.")
    ] = None,
    game: GameIfAny = None,
    model: ModelIfAny = None,
    elo: Elo = None,
    look: Look = None,
    temperature: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=100,
            help="0: always its likeliest move; 1: as often as it expects. Usually as --elo asks.",
        ),
    ] = None,
    top_p: Annotated[
        float, typer.Option(min=0, max=1, help="At a temperature: only the likeliest that have this share.")
    ] = 1.0,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Of what is drawn; a new one each time if left out.")
    ] = None,
    rules: Annotated[
        bool, typer.Option(help="Whether the rules help the model to mate and not to repeat.")
    ] = True,
    pgn: Annotated[
        Path | None, typer.Option(help="Keep the game here, behind those that the file has.")
    ] = None,
    letters: Annotated[bool, typer.Option(help="Letters in place of the characters of pieces.")] = False,
) -> None:
    """A game against a model in the terminal."""
    import secrets

    from zeroply.apps.duel import Duel, side_named
    from zeroply.apps.terminal.play import play as run
    from zeroply.players import player_of
    from zeroply.players.rules import HELPS

    name, network = asked_network(game, model)
    player = player_of(
        network,
        name=name,
        look=look,
        rating=asked_rating(network, elo),
        temperature=temperature,
        top_p=top_p,
        seed=secrets.randbits(32) if seed is None else seed,
        helps=HELPS if rules else (),
    )
    duel = Duel(player, side_named(network.game, side), network.game.start(fen))
    run(duel, pgn, letters=letters)


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
    static: Annotated[
        Path | None,
        typer.Option(metavar="OUT", help="Serve nothing: write a folder that plays in the browser alone."),
    ] = None,
) -> None:
    """The page: play against a model in a browser."""
    if static is not None:
        _write_alone(model, static)
        return
    from zeroply.apps.web.serving import serve as run
    from zeroply.artefacts import bundled

    run(model or list(bundled()), host=host, port=port, open_browser=open_browser)


def _write_alone(models: list[str] | None, out: Path) -> None:
    from zeroply.apps.cli.show import counter
    from zeroply.apps.web.alone import RUNTIME, write_alone
    from zeroply.artefacts import bundled

    with counter(RUNTIME.archive) as progress:
        write_alone(models or list(bundled()), out, progress)
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    print(f"{out}: {size / 1e6:.0f} MB, for any file server. Try it: python -m http.server -d {out}")
