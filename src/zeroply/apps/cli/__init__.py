"""The command line. Commands import what they need when they run, so that `zeroply --help` is quick."""

from __future__ import annotations

import sys

import typer

from zeroply import __version__
from zeroply.apps.cli import data, evaluate, models, play
from zeroply.errors import ZeroplyError

app = typer.Typer(
    name="zeroply",
    help="Transformers that play chess and xiangqi at a glance: corpora, training, evaluation, play.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(data.app, name="data")
app.add_typer(evaluate.app, name="eval")
for _group in (play.app, models.app):
    app.registered_commands.extend(_group.registered_commands)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"zeroply {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """Transformers that play chess and xiangqi at a glance: corpora, training, evaluation, play."""


def main() -> None:
    """Exit codes: 0 done, 2 usage or bad input, 1 anything else."""
    try:
        app()
    except ZeroplyError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        sys.exit(1)
