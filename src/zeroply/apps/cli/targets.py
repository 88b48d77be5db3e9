"""The options that name a file to write. It is refused before any work is done for it."""

from pathlib import Path
from typing import Any

import typer

from zeroply.artefacts import check_place
from zeroply.errors import ArtefactError


def target(name: str, told: str, suffix: str | None = None) -> Any:
    """An option of a command; all that write at the end of their work take theirs from here. With a `suffix`
    files have to end in it, or programs would take them for something else."""

    def checked(path: Path | None) -> Path | None:
        if path is None:
            return None
        if str(path) == "-":
            raise ArtefactError(
                f"{name} - would be a file of that name. For standard output: {name} /dev/stdout"
            )
        check_place(path)
        is_file = path.is_file() or not path.exists()  # no terminal, no pipe
        if suffix is not None and is_file and path.suffix.lower() != suffix:
            raise ArtefactError(f"{name} '{path}' does not end in {suffix}. Choose another name")
        return path

    return typer.Option(name, help=told, callback=checked)
