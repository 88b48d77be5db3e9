"""A game as people paste it: PGN, a list of moves, a FEN, or a FEN and moves."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zeroply.apps.position import MOVES, START
from zeroply.corpus.readers.pgn.foreign import foreign
from zeroply.corpus.readers.pgn.split import ESCAPED, TAG
from zeroply.corpus.readers.pgn.words import words_of
from zeroply.errors import ReadError
from zeroply.games import Game, Position
from zeroply.games.line import steps
from zeroply.games.notation import RESULTS, UNKNOWN, Result

MOST_PLIES = 1000
"""Of a game that is pasted: longer than any that people have played."""
HEADER = re.compile(r"(?:[\[%][^\n]*\n|\s++)*")
LATER_TAGS = re.compile(r'^\[(?:Event|Game|White|Red) "', re.MULTILINE)
"""Between two games; brackets in comments look otherwise."""
FEN_FIELDS = [
    re.compile(field) for field in ("[wbr]", "-|[A-Ha-hKQkq]{1,4}", "-|[a-h][36]", r"\d{1,4}", r"\d{1,4}")
]
"""Behind the board; the last ones may be missing."""


@dataclass(frozen=True, kw_only=True)
class Pasted:
    """A game, move by move."""

    start: Position
    plies: list[tuple[Position, int]]
    """Each position with the move that was made in it."""
    last: Position
    names: tuple[str, str] | None = None
    """Of the first and the second player, where the text tells any."""
    result: Result | None = None


def read_pasted(game: Game, text: str) -> Pasted:
    """The one game of a text; an error names the move that is wrong and its place."""
    text = text.replace("\ufeff", "").replace("\r\n", "\n").strip() + "\n"
    header = HEADER.match(text)
    at = header.end() if header else 0
    tags = {name: ESCAPED.sub(r"\1", value) for name, value in TAG.findall(text[:at])}
    if LATER_TAGS.search(text, at):
        raise ReadError("the text holds more than one game. Paste one")
    if flaws := foreign({name: [value] for name, value in tags.items()}, game):
        raise ReadError(f"{flaws[0].partition(':')[0]}, not of {game.name}. Choose a model that plays it")
    fen, movetext = _cut(text[at:].strip(), tags.get("FEN"))
    if not movetext and fen is None:
        raise ReadError("there is nothing to read. Paste a PGN, a list of moves or a FEN")
    return _followed(game, game.start(fen), movetext, tags)


def _cut(text: str, fen: str | None) -> tuple[str | None, str]:
    """The FEN and the moves behind it. `startpos` and `moves` are words of UCI."""
    words = text.split(maxsplit=len(FEN_FIELDS) + 1)
    if fen is None and words and "/" in words[0] and words[0] not in RESULTS.values():
        count = 1
        for field, word in zip(FEN_FIELDS, words[1:], strict=False):
            if not field.fullmatch(word):
                break
            count += 1
        fen, text = " ".join(words[:count]), " ".join(words[count:])
    for word in (START, MOVES):
        text = text.strip().removeprefix(word)
    return fen, text.strip()


def _followed(game: Game, start: Position, movetext: str, tags: dict[str, str]) -> Pasted:
    plies, last, told = list[tuple[Position, int]](), start, [tags.get("Result")]
    if movetext and movetext not in (*RESULTS.values(), UNKNOWN):
        words = words_of(movetext)
        if len(words.moves) > MOST_PLIES:
            raise ReadError(f"the game has more than {MOST_PLIES:,} plies. Cut it")
        told.append(words.result)
        for before, move, last in steps(start, words.moves):  # noqa: B007 (the last one is kept)
            plies.append((before, move))
    points = last.result()
    by_rule = None if points is None else RESULTS[points]
    result = next((result for result in RESULTS.values() if result in told), by_rule)
    return Pasted(start=start, plies=plies, last=last, names=_names(game, tags), result=result)


def _names(game: Game, tags: dict[str, str]) -> tuple[str, str] | None:
    """Records of xiangqi call the first player Red or White."""
    first = tags.get(game.sides[0], tags.get("White"))
    second = tags.get(game.sides[1])
    return None if first is None and second is None else (first or "?", second or "?")
