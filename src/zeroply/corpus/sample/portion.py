"""What one of several processes takes of every batch, so that together they learn the whole."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Portion:
    """The stretch number `rank` of a batch's rows, cut into `of` that are alike but for a row."""

    rank: int = 0
    of: int = 1

    def bounds(self, rows: int) -> tuple[int, int]:
        """The first row of so many that is taken, and the first after it that is not."""
        return rows * self.rank // self.of, rows * (self.rank + 1) // self.of


WHOLE = Portion()
