"""The UCI front end: any chess program can play against a model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from zeroply.apps import engine
from zeroply.players.dialects import UCI


def run(model: str, lines: Iterable[str] | None = None, out: TextIO | None = None) -> None:
    """Answer commands until `quit` or the end of `lines`; by default standard input and output."""
    engine.run(engine.Engine(model, UCI, out), lines)
