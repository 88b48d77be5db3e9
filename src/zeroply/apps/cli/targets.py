"""The options that name a file to write. It is refused before any work is done for it."""

from pathlib import Path
from typing import Any

import typer


def target(name: str, told: str) -> Any:
    """An option of a command; all that write at the end of their work take theirs from here."""
    return typer.Option(name, help=told, callback=_checked)


def _checked(path: Path | None) -> Path | None:
    from zeroply.artefacts import check_place

    if path is not None:
        check_place(path)
    return path
