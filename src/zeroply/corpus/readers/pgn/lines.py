"""What parsers of movetext take and give."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray


class Movetext(NamedTuple):
    """Moves as records have them, from the usual first position or from a FEN."""

    text: str
    start: str | None = None
    commented: bool = False
    """Whether the comments are wanted."""


class Line(NamedTuple):
    """The main line: move numbers, and the last comment after each move where comments are wanted."""

    moves: NDArray[np.uint16]
    comments: Sequence[str | None] = ()


@dataclass(frozen=True, kw_only=True)
class Lines:
    """N texts as lines, or as the reasons why they are none."""

    moves: NDArray[np.uint16]
    """Those of all lines, end to end."""
    lengths: NDArray[np.int64]
    """[N], 0 for what is no line."""
    flaws: Mapping[int, str] = field(default_factory=dict)
    comments: Sequence[str | None] = ()
    """One a move, or none at all where none were wanted."""

    def __iter__(self) -> Iterator[Line | str]:
        end = 0
        for number, length in enumerate(self.lengths.tolist()):
            begin, end = end, end + length
            yield self.flaws.get(number) or Line(self.moves[begin:end], self.comments[begin:end])


Parse: TypeAlias = Callable[[Sequence[Movetext]], Lines]


def collected(found: Sequence[Line | str]) -> Lines:
    lines = [line for line in found if not isinstance(line, str)]
    return Lines(
        moves=np.concatenate([np.empty(0, np.uint16), *(line.moves for line in lines)]),
        lengths=np.array([0 if isinstance(line, str) else len(line.moves) for line in found], np.int64),
        flaws={number: line for number, line in enumerate(found) if isinstance(line, str)},
        comments=[comment for line in lines for comment in line.comments],
    )
