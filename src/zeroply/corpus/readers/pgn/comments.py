"""Evaluations and clocks in the comments of a game, and which position each belongs to.

    { [%eval 0.31] }, { [%eval #-3] }   Lichess: as White sees it, of the position after the move; a mate
                                        counts moves. It is the value of the next move's position; that of the
                                        first one stands in a comment before the first move, if anywhere
    {d=25, …, wv=0.35, …}, wv=-M8       TCEC: as White sees it; the mover's own search, so of the position
                                        before the move; a mate counts plies
    {+0.31/24 4.5s}, {-M8/30 1s}        cutechess: as the mover sees it, before the move; counts plies

Pawns have a decimal point in all three; a whole number in [%eval 31,12] is another program's centipawns.

    { [%clk 0:03:00] }, { [%clk 1:23:45.6] }   Lichess, chess.com: the mover's time left after his move
    {…, tl=1706868, …}, {…, tl=00:37:47, …}    TCEC: the same, in milliseconds or as a clock shows it; 0 where
                                               the engine had no clock

Time spent on a move ([%emt …], TCEC's mt=, the seconds of cutechess) is no clock and is not read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from zeroply.corpus.evaluation import centipawns, mate
from zeroply.corpus.score import NO_CLOCK, NO_EVALUATION

CLOCK = re.compile(r"\[%clk\s+(\d{1,5}:\d\d?:\d\d?(?:\.\d*)?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How one kind of program writes comments."""

    mark: re.Pattern[str]
    """Found in the movetext of its games."""
    value: re.Pattern[str] | None
    """The evaluation in one comment: a mate, or pawns; None where such comments have only clocks."""
    clock: re.Pattern[str] = CLOCK
    """The time left in one comment: as a clock shows it, or milliseconds."""
    by_engine: bool
    """The mover's own evaluation, before its move; else someone else's, after it."""
    whites_view: bool
    plies: bool
    """A mate counts plies, not moves."""


LICHESS = Style(
    mark=re.compile(r"\[%eval "),
    value=re.compile(r"\[%eval\s+(#[+-]?\d{1,9}|[+-]?\d*\.\d+)"),
    by_engine=False,
    whites_view=True,
    plies=False,
)
TCEC = Style(
    mark=re.compile(r"\bwv="),
    value=re.compile(r"\bwv=([+-]?M\d{1,9}|[+-]?\d*\.\d+)"),
    clock=re.compile(r"\btl=(\d{1,5}:\d\d?:\d\d?|[1-9]\d{0,10}\b)"),
    by_engine=True,
    whites_view=True,
    plies=True,
)
CUTECHESS = Style(
    mark=re.compile(r"\{\s*[+-]?(?:M\d+|\d+\.\d+)/\d"),
    value=re.compile(r"(?<![\d.])([+-]?M\d{1,9}|[+-]?\d{1,9}\.\d{1,9})/\d"),
    by_engine=True,
    whites_view=False,
    plies=True,
)
CLOCKS = Style(
    mark=re.compile(r"\[%clk "),
    value=None,
    by_engine=False,
    whites_view=True,
    plies=False,
)
OPENING_COMMENT = re.compile(r"\{([^}]*)\}")


def style_of(movetext: str) -> Style | None:
    """The way in which the comments of a game tell evaluations or clocks, if they do."""
    if "{" not in movetext:
        return None
    styles = (LICHESS, TCEC, CUTECHESS, CLOCKS)
    return next((style for style in styles if style.mark.search(movetext)), None)


def evaluations(
    comments: Sequence[str | None], style: Style, first_turn: int, movetext: str
) -> Sequence[int]:
    """[moves] centipawns of the position before each move for its mover, from the comment after each.

    Nothing where the comments tell only clocks. The game's movetext is asked for the comment before its first
    move, which the parsers leave out."""
    if style.value is None:
        return ()
    find = style.value.search
    matches = [find(comment) if comment else None for comment in comments]
    if not style.by_engine:
        opening = OPENING_COMMENT.match(movetext)
        matches = [find(opening[1]) if opening else None, *matches[:-1]]
    found = [_value(match[1], style.plies) if match else NO_EVALUATION for match in matches]
    if style.whites_view:
        found = [
            -value if (first_turn + ply) % 2 and value != NO_EVALUATION else value
            for ply, value in enumerate(found)
        ]
    return found


def clocks(comments: Sequence[str | None], style: Style) -> Sequence[int]:
    """[moves] tenths of a second left after each move, or nothing where no comment tells."""
    find = style.clock.search
    matches = [find(comment) if comment else None for comment in comments]
    return [_tenths(match[1]) if match else NO_CLOCK for match in matches] if any(matches) else ()


# Lichess writes the same few thousand texts millions of times.
@lru_cache(2**16)
def _value(text: str, plies: bool) -> int:
    if "#" not in text and "M" not in text:
        return centipawns(100 * float(text))
    distance = int(text.lstrip("+-M#"))
    moves = (distance + 1) // 2 if plies else distance
    return mate(moves, for_mover="-" not in text)


@lru_cache(2**16)
def _tenths(text: str) -> int:
    if ":" not in text:
        return round(int(text) / 100)  # milliseconds
    hours, minutes, seconds = text.split(":")
    return 10 * (3600 * int(hours) + 60 * int(minutes)) + round(10 * float(seconds))
