"""One game record, as every reader yields it and a corpus stores it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

NO_EVALUATION = -32768
MATE = 32000
"""A mate in n counts MATE - n centipawns for the side that gives it."""
LONGEST_MATE = 1000
MOST_CENTIPAWNS = MATE - LONGEST_MATE - 1
"""Beyond it nothing is told apart: all less than any mate."""
UNKNOWN_RESULT = 3
MOST_ELO = 5000
"""What is more is nonsense; the best engines of the best testers have some 4000."""
NO_CLOCK = 2**32 - 1
LINES = 5
"""Of an engine's best lines so many at the most are kept for a position."""


class Split(IntEnum):
    """Which part of the data a game belongs to, by its hash."""

    train = 0
    validation = 1
    test = 2


class Kind(IntEnum):
    """Who played."""

    human = 0
    engine = 1
    puzzle = 2
    label = 3
    """Nobody: an engine was asked for the best move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A game from its start position, or an annotated position as a game of one move, after those that led
    there if they are known."""

    moves: Sequence[int] | NDArray[np.integer[Any]]
    start: str | None = None
    """FEN of the first position; None for the usual one."""
    result: float | None = None
    """The first player's points."""
    evaluations: Sequence[int] | NDArray[np.int16] = ()
    """Centipawns from the mover's view, mates folded in, one per move or none at all."""
    lines: Sequence[Sequence[tuple[int, int]]] = ()
    """The first moves of an engine's best lines, each with what it is worth as above, the best first; several
    for each move of the game, or none at all."""
    clocks: Sequence[int] | NDArray[np.uint32] = ()
    """Tenths of a second that the mover has left after his move, one per move or none at all."""
    ratings: tuple[int, int] = (0, 0)
    """First and second player's rating, 0 if unknown."""
    year: int = 0
    kind: Kind = Kind.human
    past: int = 0
    """So many of its first moves only led there: nobody chose them to be learnt."""
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A game that could not be read: where it stands, counted from 1, and what is wrong with it."""

    source: str
    number: int
    reason: str

    def __str__(self) -> str:
        return f"{self.source}, game {self.number}: {self.reason}"
