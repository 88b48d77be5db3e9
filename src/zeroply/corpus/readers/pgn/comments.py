"""Evaluations in the comments of a game, and which position each belongs to.

    { [%eval 0.31] }, { [%eval #-3] }   Lichess: as White sees it, of the position after the move; a mate
                                        counts moves. It is the value of the next move's position, so the
                                        first position of a game has none
    {d=25, …, wv=0.35, …}, wv=-M8       TCEC: as White sees it; the mover's own search, so of the position
                                        before the move; a mate counts plies
    {+0.31/24 4.5s}, {-M8/30 1s}        cutechess: as the mover sees it, before the move; counts plies

Pawns have a decimal point in all three; a whole number in [%eval 31,12] is another program's centipawns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from zeroply.corpus.readers.evaluation import centipawns, mate
from zeroply.corpus.score import NO_EVALUATION


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How one kind of program writes evaluations."""

    mark: re.Pattern[str]
    """Found in the movetext of its games."""
    value: re.Pattern[str]
    """The value in one comment: a mate, or pawns."""
    by_engine: bool
    """The mover's own evaluation, before its move; else someone else's, after it."""
    whites_view: bool
    plies: bool
    """A mate counts plies, not moves."""


LICHESS = Style(
    mark=re.compile(r"\[%eval "),
    value=re.compile(r"\[%eval\s+(?:#([+-]?\d+)|([+-]?\d*\.\d+))"),
    by_engine=False,
    whites_view=True,
    plies=False,
)
TCEC = Style(
    mark=re.compile(r"\bwv="),
    value=re.compile(r"\bwv=(?:([+-]?M\d+)|([+-]?\d*\.\d+))"),
    by_engine=True,
    whites_view=True,
    plies=True,
)
CUTECHESS = Style(
    mark=re.compile(r"\{\s*[+-]?(?:M\d+|\d+\.\d+)/\d"),
    value=re.compile(r"\s*(?:([+-]?M\d+)|([+-]?\d+\.\d+))/\d"),
    by_engine=True,
    whites_view=False,
    plies=True,
)


def style_of(movetext: str) -> Style | None:
    """The way in which the comments of a game tell evaluations, if they do."""
    if "{" not in movetext:
        return None
    return next((style for style in (LICHESS, TCEC, CUTECHESS) if style.mark.search(movetext)), None)


def evaluations(comments: Sequence[str | None], style: Style, first_turn: int) -> list[int]:
    """[moves] centipawns of the position before each move for its mover, from the comment after each."""
    found = [_value(comment, style) for comment in comments]
    if not style.by_engine:
        found = [NO_EVALUATION, *found[:-1]]
    if style.whites_view:
        found = [
            -value if (first_turn + ply) % 2 and value != NO_EVALUATION else value
            for ply, value in enumerate(found)
        ]
    return found


def _value(comment: str | None, style: Style) -> int:
    match = style.value.search(comment) if comment else None
    if match is None:
        return NO_EVALUATION
    mating, pawns = match.groups()
    if mating is None:
        return centipawns(100 * float(pawns))
    distance = int(mating.lstrip("+-M"))
    moves = (distance + 1) // 2 if style.plies else distance
    return mate(moves, for_mover=not mating.startswith("-"))
