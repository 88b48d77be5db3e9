"""Errors that a person can act on: one line that names the thing, the place and the next step."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


class ZeroplyError(Exception):
    """Bad input or a bad call: the command line prints its one line and exits with code 2."""


class IllegalMoveError(ZeroplyError):
    """A move that the rules or the move table do not know in this position."""


class PositionError(ZeroplyError):
    """A text that does not describe a position of the game."""


class ReadError(ZeroplyError):
    """A source file, or a game in it, that cannot be read."""


class ArtefactError(ZeroplyError):
    """A corpus, checkpoint or exported model that this program cannot use."""


class DiskFullError(ZeroplyError):
    """No room for what is to be written."""


class RecipeError(ZeroplyError):
    """An unknown recipe, an unknown option, or a recipe that does not fit the corpus."""


class EngineError(ZeroplyError):
    """An external engine that cannot be started or broke the protocol."""


class MissingExtraError(ZeroplyError):
    """A command whose optional packages are not installed."""


class StoppedError(Exception):
    """Ctrl-C, from a command that can say what became of its work: the command line exits with code 130."""


LONGEST_QUOTE = 100
"""Characters: a FEN fits."""


def shortened(text: str, most: int = LONGEST_QUOTE) -> str:
    """What someone wrote, as errors repeat it: of a long text the beginning."""
    return text if len(text) <= most else f"{text[:most]}…"


def quoted(text: str) -> str:
    """The same in quotes."""
    return f"'{shortened(text)}'"


@contextmanager
def needs(extra: str, what: str) -> Iterator[None]:
    """Around imports of optional packages: says which extra to install if one is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"{what} needs the package '{error.name}'. "
            f"Install it: {sys.executable} -m pip install 'zeroply[{extra}]'"
        ) from None
