"""A game kept in a file of records: behind those that it has, and once however often it is saved."""

from __future__ import annotations

import re
from pathlib import Path

from zeroply.artefacts import check_place, new_file
from zeroply.errors import ZeroplyError

RECORDS = re.compile(rb'\A\s*1\s*\.|^\[\w+\s+".*"\]\s*$', re.MULTILINE)
"""What files of games have: a tag on a line of its own or, where there are none, a move at the beginning."""


class Keeper:
    """Remembers what stood in each file before the game, byte for byte: it may be in any encoding."""

    def __init__(self) -> None:
        self._before: dict[Path, bytes] = {}

    def check(self, path: Path) -> None:
        """Refuses a file that cannot be written, and one that holds something other than games."""
        check_place(path)
        found = path.read_bytes() if path.is_file() else b""
        if found.strip() and not RECORDS.search(found):
            raise ZeroplyError(f"{path} holds something other than games in PGN. Choose another file")
        self._before[path.resolve()] = found.rstrip() + b"\n\n" if found.strip() else b""

    def save(self, path: Path, record: str) -> None:
        try:
            place = path.resolve()
            if place not in self._before:
                self.check(path)
            with new_file(place) as building:
                building.write_bytes(self._before[place] + record.encode())
        except OSError as error:
            raise ZeroplyError(f"{path} cannot be written: {error.strerror}. Choose another file") from None
