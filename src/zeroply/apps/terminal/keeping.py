"""A game kept in a file of records: behind those that it has, and once however often it is saved."""

from __future__ import annotations

from pathlib import Path

from zeroply.artefacts import new_file
from zeroply.errors import ZeroplyError


class Keeper:
    """Remembers what stood in each file before the game."""

    def __init__(self) -> None:
        self._before: dict[Path, str] = {}

    def save(self, path: Path, record: str) -> None:
        try:
            place = path.resolve()
            if place not in self._before:
                found = place.read_text(encoding="utf-8") if place.is_file() else ""
                self._before[place] = found if not found or found.endswith("\n\n") else f"{found.rstrip()}\n\n"
            with new_file(place) as building:
                building.write_text(self._before[place] + record, encoding="utf-8")
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise ZeroplyError(f"{path} cannot be written: {reason}. Choose another file") from None
