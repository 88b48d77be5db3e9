"""Games as text, before any move is looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from zeroply.corpus.readers.pgn.headers import Columns, Header, columns

LONGEST = 2**22
"""Characters of a game; what is longer is no game."""
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


class GameText(NamedTuple):
    """One game as text."""

    header: Header
    movetext: str
    """Without blank lines, adjacent comments joined."""
    flaw: str | None
    """Why it cannot be read, where that shows before any move is looked at."""


class Games(NamedTuple):
    """Many of them, by columns."""

    tags: Columns
    movetexts: Sequence[str]
    flaws: Mapping[int, str]
    """Of those that have one."""


def gathered(texts: Sequence[GameText]) -> Games:
    return Games(
        columns([text.header for text in texts]),
        [text.movetext for text in texts],
        {at: text.flaw for at, text in enumerate(texts) if text.flaw is not None},
    )


def empty(movetext: str) -> str | None:
    return None if movetext and movetext not in RESULTS else "it has no moves"
