"""Movetext word by word, without numbers, glyphs and variations, where only the position explains a move."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from zeroply.corpus.readers.pgn.texts import RESULTS
from zeroply.errors import ReadError

TOKEN = re.compile(
    r"\{(?P<comment>[^}]*)\}|(?P<open>\{)|;(?P<remark>[^\n]*)|(?P<bracket>[()])|\$\d+"
    # A number; but 66.5 is a move in WXF, of the middle one of three soldiers.
    r"|(?P<number>\d+\.+)(?!\d[!?+#]*(?:[\s{}();]|$))"
    r"|\.+|(?P<word>[^\s{}();]+)"
)
GLYPHS = "!?+#"
FIRST = "1."
"""After a whole move it begins another game."""
SEVERAL = "the text holds more than one game. Give one"


@dataclass(kw_only=True)
class Words:
    """The main line of a game as it was written, with the last comment after each move."""

    moves: list[str] = field(default_factory=list)
    comments: list[str | None] = field(default_factory=list)
    result: str | None = None


def words_of(movetext: str) -> Words:
    """ReadError where the text is no line of moves; whether they are moves at all is not looked at."""
    found, depth = Words(), 0
    for token in TOKEN.finditer(movetext):
        word, comment = token["word"], token["comment"] or token["remark"]
        if token["open"]:
            raise ReadError("a comment is not closed")
        if token["bracket"]:
            depth += 1 if token["bracket"] == "(" else -1
            if depth < 0:
                raise ReadError("a bracket is closed that was never opened")
        elif depth:
            continue
        elif token["number"] == FIRST and len(found.moves) > 1:
            raise ReadError(SEVERAL)
        elif found.result and not word:
            continue
        elif word in RESULTS:
            found.result = word
        elif word and found.result:
            raise ReadError("there are moves after the result")
        elif word and word.strip(GLYPHS):
            found.moves.append(word.rstrip(GLYPHS))
            found.comments.append(None)
        elif comment and found.comments:
            found.comments[-1] = comment
    if depth:
        raise ReadError("a variation is not closed")
    if not found.moves:
        raise ReadError("it has no moves")
    return found
