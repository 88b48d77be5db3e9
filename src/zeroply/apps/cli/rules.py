"""Commands that ask the rules alone: perft."""

from typing import Annotated

import typer

from zeroply.apps.cli.games import GameName

app = typer.Typer()


@app.command()
def perft(
    depth: Annotated[int, typer.Argument(min=1, help="How many moves deep.")],
    fen: Annotated[str | None, typer.Argument(help="A position; the usual first one if left out.")] = None,
    game: GameName = "chess",
) -> None:
    """How many lines of so many moves the rules allow: after each first move, then in all."""
    from zeroply.games import game_named
    from zeroply.games.perft import perft as count

    rules = game_named(game)
    position, total = rules.start(fen), 0
    for move in position.legal():
        lines = count(position.play(int(move)), depth - 1)
        total += lines
        print(f"{rules.moves.names[move]}: {lines}")
    print(total)
