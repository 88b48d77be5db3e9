"""A game kept in a file of records: behind those that it has, and once however often it is saved."""

from __future__ import annotations

from pathlib import Path

from zeroply.artefacts import new_file
from zeroply.errors import ZeroplyError


class Keeper:
    """Remembers what stood in each file before the game, byte for byte: it may be in any encoding."""

    def __init__(self) -> None:
        self._before: dict[Path, bytes] = {}

    def save(self, path: Path, record: str) -> None:
        try:
            place = path.resolve()
            if place not in self._before:
                found = place.read_bytes() if place.is_file() else b""
                self._before[place] = found.rstrip() + b"\n\n" if found.strip() else b""
            with new_file(place) as building:
                building.write_bytes(self._before[place] + record.encode())
        except OSError as error:
            raise ZeroplyError(f"{path} cannot be written: {error.strerror}. Choose another file") from None
