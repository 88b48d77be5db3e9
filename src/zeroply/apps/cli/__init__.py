"""The command line. Commands import what they need when they run, so that `zeroply --help` is quick.

Their modules do without `from __future__ import annotations`: typer would compile every annotation anew.
"""

import re
import sys
from typing import Any

import typer

from zeroply import __version__
from zeroply.apps.cli import contests, data, engines, evaluate, models, play, predict, report, rules
from zeroply.errors import ZeroplyError
from zeroply.exits import exit_codes

app = typer.Typer(
    name="zeroply",
    help="Transformers that play chess and xiangqi at a glance: corpora, training, evaluation, play.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
data.app.registered_commands.extend(engines.app.registered_commands)
for _group in (contests.app, report.app):
    evaluate.app.registered_commands.extend(_group.registered_commands)
app.add_typer(data.app, name="data")
app.add_typer(evaluate.app, name="eval")
for _group in (predict.app, play.app, rules.app, models.app):
    app.registered_commands.extend(_group.registered_commands)


UsageError: Any = typer.BadParameter.__mro__[1]
"""The error of a wrong call. Its class is click's, or that of the click within typer, by typer's version."""


RANGE = re.compile(
    r"Invalid value for '(?P<name>[^']+)': (?P<value>\S+) is not in the range (?P<range>\S+?)\."
)
"""How typer refuses a number, with its range as 0<=x<=9 or x>=1."""
NO_NUMBER = re.compile(
    r"Invalid value for '(?P<name>[^']+)': (?P<value>'.*') is not a valid (?P<kind>int|float)\w*(?: range)?\."
)
"""How typer refuses a text in place of a number."""
NEGATIVE = re.compile(r"No such option: (?P<value>-[0-9.]+)")
"""How typer refuses a number that it takes for an option."""


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
    with exit_codes():
        sys.exit(_code())


def _code() -> Any:
    """What the command line ends with."""
    try:
        code = app(standalone_mode=False)
    except UsageError as error:
        raise ZeroplyError(_usage(error)) from None
    except typer.Abort:
        raise KeyboardInterrupt from None
    if code == 130:  # what some versions of typer make of Ctrl-C
        raise KeyboardInterrupt
    return code


def _usage(error: Any) -> str:
    """One line; none where a command called without any argument has shown its help."""
    text = RANGE.sub(_bounds, str(error.format_message()))
    text = NO_NUMBER.sub(_kind, text)
    text = NEGATIVE.sub(r"\g<value> will not do: it must not be negative", text)
    command = error.ctx.command_path if error.ctx else "zeroply"
    if text.startswith("Got unexpected extra arg") and "/" in str(error.ctx.params.get("fen")):
        return f"{text.rstrip('.')}. A FEN goes in quotes: '{error.ctx.params['fen']} …'"
    if not text or text.startswith(("Usage", " ", "\n")):
        return text
    return f"{text if text.endswith('?') else text.rstrip('.') + '.'} See {command} --help"


def _bounds(refusal: re.Match[str]) -> str:
    low, _, high = refusal["range"].partition("<=x<=")
    wanted = f"from {low} to {high}" if high else low.replace("x>=", "at least ").replace("x<=", "at most ")
    return f"{refusal['name']} {refusal['value']} will not do: it must be {wanted}."


def _kind(refusal: re.Match[str]) -> str:
    wanted = "a whole number" if refusal["kind"] == "int" else "a number"
    return f"{refusal['name']} {refusal['value']} will not do: it must be {wanted}."
