"""The UCCI front end: any program for Chinese chess can play against a model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from zeroply.apps import engine
from zeroply.players.dialects import UCCI
from zeroply.players.options import Option

OPTIONS = {
    "usemillisec": Option(kind="check", default=True),  # or seconds, which `Ucci.clock` heeds
    "newgame": Option(kind="button"),  # as any setting, it makes the player afresh
}
"""What programs expect of an engine of this protocol."""


def run(model: str, lines: Iterable[str] | None = None, out: TextIO | None = None) -> None:
    """Answer commands until `quit` or the end of `lines`; by default standard input and output."""
    engine.run(engine.Engine(model, UCCI, out, more_options=OPTIONS), lines)
