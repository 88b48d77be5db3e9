"""A game that could not be read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Skipped:
    """Where a bad game stands and what is wrong with it."""

    source: str
    number: int
    reason: str

    def __str__(self) -> str:
        return f"{self.source}, game {self.number}: {self.reason}"
