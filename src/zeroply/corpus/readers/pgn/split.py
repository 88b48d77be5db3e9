"""PGN text cut into games.

A game begins at a tag line after movetext, or after a result and a blank line where there are no tags. Lines
within a comment do not count, unless a blank line and the first tag of a record come, Event or Game: then the
comment was never closed, and only its own game is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from zeroply.corpus.readers.batches import batched
from zeroply.corpus.readers.pgn.headers import Header
from zeroply.corpus.readers.pgn.plain import ODD, TAG_NAME, plain_games
from zeroply.corpus.readers.pgn.texts import LONGEST, RESULTS, Games, GameText, empty, gathered

TOGETHER = 2**18
"""Characters looked at together, about: some hundred games. With more the fast parser's boards leave the
processor's cache."""

HEADER = re.compile(r"(?:[\[%;][^\n]*\n|\s++(?!\[(?:Event|Game) ))*")
TAG = re.compile(r'\[([A-Za-z0-9][A-Za-z0-9_+#=:-]*)[ \t]+"([^\n]*)"\][ \t]*\n')
ESCAPED = re.compile(r'\\(["\\])')
GAP = re.compile(r"\n\s*(?=\[[A-Za-z0-9])|\n\s*\n\s*")
FIRST_TAGS = ("[Event ", "[Game ")
"""Records of chess begin with the one, those of xiangqi often with the other."""
BOUNDARY = re.compile(r"\n\n(?=\[(?:Event|Game) )")
"""Always between two games, even within a comment: then that was never closed."""
END = "\n" * len(FIRST_TAGS[0])
"""So that the last games can be told by what follows them."""

COMMENT = re.compile(r"\{[^}]*\}|;[^\n]*")
VARIATION = re.compile(r"\([^()]*\)")
MOVES_AFTER_RESULT = re.compile(r"(?:\*|1-0|0-1|1/2-1/2).*(?:[a-hKQRBNO]|0-0)", re.DOTALL)


def batches(text: str) -> Iterator[Games]:
    """The games of a text, some hundred at a time."""
    found, begin = BOUNDARY.search(text, TOGETHER), 0
    while begin <= len(text):
        some = text[begin : found.start() if found else len(text)]
        plain = plain_games(some)
        if plain is not None:
            yield plain
        else:
            yield from map(gathered, batched(split(some), size=lambda game: len(game.movetext)))
        begin = found.end() if found else len(text) + 1
        found = BOUNDARY.search(text, begin + TOGETHER)


def split(text: str) -> Iterator[GameText]:
    """The games of a text, one by one."""
    for part in BOUNDARY.split(text):
        plain = _plain_game(part)
        yield from _games(part) if plain is None else (plain,)


def last_game(text: str) -> int:
    """Where the last game of a text begins, as far as one can tell; 0 if all may be one game."""
    for tail in (2**16, len(text)):  # mostly it is near the end
        found = max(text.rfind(f"\n\n{tag}", max(0, len(text) - tail)) for tag in FIRST_TAGS)
        if found >= 0:
            return found + 2
    at = 0
    while (cut := _cut(text, at)) is not None:
        at = cut[2]
    return at


def ends_with_result(text: str) -> bool:
    """Whether the last game of a text is whole; a text without any is."""
    words = COMMENT.sub("", text[last_game(text) :]).split()
    return not words or words[-1] in RESULTS


def _plain_game(text: str) -> GameText | None:
    """The one game of a text, if it has nothing but tags and bare moves, as most have; quickly."""
    header, _, movetext = text.partition("\n\n")
    movetext = movetext.strip()
    *parts, end = header.split('"')
    names = _tag_names(tuple(parts[::2]))
    if (
        names is None
        or end != "]"
        or "\\" in header
        or "\n\n" in movetext
        or any(map(movetext.__contains__, ODD))
        or not movetext.endswith(RESULTS)
        or movetext.count("1-0") + movetext.count("0-1") + movetext.count("1/2-1/2") + movetext.count("*")
        != 1
        or len(movetext) > LONGEST
    ):
        return None
    movetext = movetext.replace("\n", " ")
    return GameText(Header(names, parts[1::2]), movetext, empty(movetext))


@lru_cache(maxsize=1000)
def _tag_names(between: tuple[str, ...]) -> list[str] | None:
    """The names of tags, from what stands before each value; in a file that is nearly always the same."""
    found = [TAG_NAME.fullmatch(text) for text in ("]\n" + between[0], *between[1:])] if between else []
    names = [match[1] for match in found if match]
    return names if names and len(names) == len(between) else None


def _games(text: str) -> Iterator[GameText]:
    """All games of any text."""
    held, at = text + END, 0
    while (cut := _cut(held, at)) is not None:
        movetext, end, following = cut
        yield _game(held[at:movetext], held[movetext:end])
        at = following
    rest = held[at:]
    if rest.strip():
        movetext = _header_end(rest, 0)
        yield _game(rest[:movetext], rest[movetext:])


def _header_end(text: str, at: int) -> int:
    found = HEADER.match(text, at)
    assert found is not None  # noqa: S101 (the pattern matches nothing too)
    return found.end()


def _cut(text: str, at: int) -> tuple[int, int, int] | None:
    """Where the game at `at` has its movetext, its end and its follower; None if more text is needed."""
    begin = _header_end(text, at)
    for gap in GAP.finditer(text, begin):
        following = gap.end()
        if following + len(END) > len(text):
            return None
        played = text[begin : gap.start()]
        if _is_open(played):
            ended = text.startswith(FIRST_TAGS, following) and gap.group().count("\n") > 1
        else:
            ended = text[following] == "[" or played.rstrip().endswith(RESULTS)
        if ended:
            return begin, gap.start(), following
    return None


def _game(header: str, movetext: str) -> GameText:
    if len(movetext) > LONGEST:
        return GameText(Header((), ()), "", f"no end of the game in {LONGEST:,} characters")
    movetext, tags = movetext.strip(), TAG.findall(header)
    names, values = [name for name, _ in tags], [ESCAPED.sub(r"\1", value) for _, value in tags]
    flaw = _flaw(movetext) or empty(movetext)
    return GameText(Header(names, values), _flattened(movetext), flaw)


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
