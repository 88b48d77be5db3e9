"""A stream of PGN text cut into games, in bounded memory.

A game begins at a tag line after movetext, or after a result and a blank line where there are no tags. Lines
within a comment do not count, unless a blank line and an Event tag come: then the comment was never closed,
and only its own game is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

LONGEST = 2**22
"""Characters of a game; what is longer is no game."""

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")

HEADER = re.compile(r"(?:[\[%;][^\n]*\n|\s++(?!\[Event ))*")
TAG = re.compile(r'\[([A-Za-z0-9][A-Za-z0-9_+#=:-]*)[ \t]+"([^\n]*)"\][ \t]*\n')
GAP = re.compile(r"\n\s*(?=\[[A-Za-z0-9])|\n\s*\n\s*")
EVENT = "[Event "
END = "\n" * len(EVENT)
"""So that the last games can be told by what follows them."""

COMMENT = re.compile(r"\{[^}]*\}|;[^\n]*")
VARIATION = re.compile(r"\([^()]*\)")
MOVES_AFTER_RESULT = re.compile(r"(?:\*|1-0|0-1|1/2-1/2).*(?:[a-hKQRBNO]|0-0)", re.DOTALL)


class GameText(NamedTuple):
    """One game as text."""

    number: int
    tags: dict[str, str]
    movetext: str
    """Without blank lines, adjacent comments joined."""
    flaw: str | None
    """What would make a parser drop a part of the moves without a word."""


def split(blocks: Iterable[str]) -> Iterator[GameText]:
    """The games of a text that comes in blocks of whole lines, numbered from 1."""
    held, number = "", 0
    for block in chain(blocks, [END]):
        held, at = held + block, 0
        while (cut := _cut(held, at)) is not None:
            movetext, end, following = cut
            number += 1
            yield _game(number, held[at:movetext], held[movetext:end])
            at = following
        held = held[at:]
        if len(held) > LONGEST:
            number += 1
            yield GameText(number, {}, "", f"no end of the game in {LONGEST:,} characters")
            held = ""
    if held.strip():
        movetext = _header_end(held, 0)
        yield _game(number + 1, held[:movetext], held[movetext:])


def _header_end(text: str, at: int) -> int:
    found = HEADER.match(text, at)
    assert found is not None  # noqa: S101 (the pattern matches nothing too)
    return found.end()


def _cut(text: str, at: int) -> tuple[int, int, int] | None:
    """Where the game at `at` has its movetext, its end and its follower; None if more text is needed."""
    begin = _header_end(text, at)
    for gap in GAP.finditer(text, begin):
        following = gap.end()
        if following + len(EVENT) > len(text):
            return None
        played = text[begin : gap.start()]
        if _is_open(played):
            ended = text.startswith(EVENT, following) and gap.group().count("\n") > 1
        else:
            ended = text[following] == "[" or played.rstrip().endswith(RESULTS)
        if ended:
            return begin, gap.start(), following
    return None


def _game(number: int, header: str, movetext: str) -> GameText:
    movetext = movetext.strip()
    return GameText(number, dict(TAG.findall(header)), _flattened(movetext), _flaw(movetext))


def _is_open(movetext: str) -> bool:
    """Whether it ends within a comment."""
    return movetext.rfind("{") > movetext.rfind("}") and "{" in COMMENT.sub(" ", movetext)


def _flattened(movetext: str) -> str:
    """Without what makes parsers stop: blank lines, lines with a bracket. Line comments keep their lines."""
    if ";" in movetext or "\n%" in movetext:
        movetext = re.sub(r"\n\s*\n", "\n", movetext)
        movetext = re.sub(r"\n\s*\[", " [", movetext)
    else:
        movetext = movetext.replace("\n", " ")
    return re.sub(r"\}\s*\{", " ", movetext) if "{" in movetext else movetext


def _flaw(movetext: str) -> str | None:
    if _is_open(movetext):
        return "a comment is not closed"
    results = sum(map(movetext.count, RESULTS))
    ended = results == 0 or (results == 1 and movetext.endswith(RESULTS))
    if ended and "(" not in movetext:
        return None
    bare, nested = COMMENT.sub(" ", movetext), 1
    while nested:
        bare, nested = VARIATION.subn(" ", bare)
    if "(" in bare:
        return "a variation is not closed"
    return "there are moves after the result" if MOVES_AFTER_RESULT.search(bare) else None
