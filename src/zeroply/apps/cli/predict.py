"""The command that asks a model about one position: predict."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zeroply.apps.cli.asked import Elo, GameIfAny, Look, ModelIfAny, asked_network, asked_rating
from zeroply.apps.cli.show import print_json, table
from zeroply.apps.cli.targets import target

if TYPE_CHECKING:
    from zeroply.players import Glance

app = typer.Typer()


@app.command()
def predict(
    fen: Annotated[str | None, typer.Argument(help="A position; startpos if left out.")] = None,
    moves: Annotated[str, typer.Option(help='Moves from there: "e2e4 e7e5", "1. e4 e5".')] = "",
    game: GameIfAny = None,
    model: ModelIfAny = None,
    top: Annotated[int, typer.Option(min=1, help="How many moves to show.")] = 5,
    elo: Elo = None,
    look: Look = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    svg: Annotated[
        Path | None, target("--svg", "Draw the board here, with arrows for these moves.", ".svg")
    ] = None,
    png: Annotated[Path | None, target("--png", "The same as a PNG.", ".png")] = None,
) -> None:
    """What the model would play in a position, and who it thinks will win."""
    from zeroply.apps.position import START
    from zeroply.corpus.readers.pgn.words import words_of
    from zeroply.errors import ZeroplyError
    from zeroply.games.line import follow
    from zeroply.players.chosen import player_of

    name, network = asked_network(game, model)
    start = network.game.start(None if fen == START else fen)
    position = follow(start, words_of(moves).moves) if moves.strip() else start
    if not len(position.legal()):
        raise ZeroplyError(f"there is no move in {position.fen()}: {position.reason()}")
    player = player_of(network, name=name, look=look, rating=asked_rating(network, elo))
    glance = player.glance([position])[0]
    best = [
        (int(move), float(share)) for move, share in zip(glance.moves, glance.probabilities, strict=True)
    ][:top]
    if svg is not None or png is not None:
        from zeroply.apps.picture import save

        save(network.game, position, best, svg=svg, png=png)
        for path in filter(None, (svg, png)):
            print(f"{path}: the board with arrows for the likely moves", file=sys.stderr)
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
