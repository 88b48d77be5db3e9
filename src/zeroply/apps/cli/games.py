"""The options that name a game, for all commands that have one."""

from typing import Annotated

import typer

# The names stand here once more: to import the games would make `zeroply --help` wait for NumPy.
NAMES = ("chess", "xiangqi")
GameName = Annotated[str, typer.Option(help=f"{' or '.join(NAMES)}.")]
SourcesGame = Annotated[
    str | None,
    typer.Option("--game", help="Of a file: chess (if left out) or xiangqi; a corpus has its own."),
]
PlayersGame = Annotated[
    str | None,
    typer.Option("--game", help="Of an engine: chess (if left out) or xiangqi; a model has its own."),
]
