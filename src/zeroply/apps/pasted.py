"""A game as people paste it: PGN, a list of moves, a FEN, or a FEN and moves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice

from zeroply.apps.position import MOVES, START
from zeroply.corpus.readers.pgn.foreign import foreign
from zeroply.corpus.readers.pgn.split import ESCAPED, TAG
from zeroply.corpus.readers.pgn.words import SEVERAL, words_of
from zeroply.errors import ReadError
from zeroply.games import Game, Position, all_games
from zeroply.games.line import steps
from zeroply.games.notation import RESULTS, UNKNOWN, Result
from zeroply.games.record import written

MOST_PLIES = 1000
"""Of a game that is pasted: longer than any that people have played."""
ESCAPED_LINES = re.compile(r"^%[^\n]*\n", re.MULTILINE)
"""Meant for programs, wherever they stand."""
HEADER = re.compile(r"(?:\[[^\n]*\n|\s++)*")
LATER_TAGS = re.compile(r'^\[(?:Event|Game|White|Red) "', re.MULTILINE)
"""Between two games; brackets in comments look otherwise."""
LINK = re.compile(r"(?:https?://|(?:[a-z][a-z0-9-]*\.)+[a-z]{2,}/)\S", re.IGNORECASE)
"""Where a game can be seen, in place of the game."""
FEN_FIELDS = [
    re.compile(form) for form in ("[wbr]", "-|[A-Ha-hKQkq]{1,4}", "-|[a-h][36]", r"\d{1,4}", r"\d{1,4}")
]
"""Behind the board; the last ones may be missing."""
KEPT = ("Event", "Site", "Date", "Round")
"""Tags that are kept when the game is written again, beside the players' names and the result."""


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
    tags: Mapping[str, str] = field(default_factory=dict)

    def record(self, game: Game) -> str:
        """The game as PGN: its moves, and of its tags those that tell who played, where and when."""
        tags = {name: self.tags[name] for name in KEPT if name in self.tags}
        if self.names is not None:
            tags |= dict(zip(game.sides, self.names, strict=True))
        moves = [before.recorded(move) for before, move in self.plies]
        return written(game, tags | {"Result": self.result or UNKNOWN}, self.start, moves)


def read_pasted(game: Game, text: str) -> Pasted:
    """The one game of a text; an error names the move that is wrong and its place."""
    text = ESCAPED_LINES.sub("", text.replace("\ufeff", "").replace("\r\n", "\n").strip() + "\n")
    header = HEADER.match(text)
    at = header.end() if header else 0
    tags = {name: ESCAPED.sub(r"\1", value) for name, value in TAG.findall(text[:at])}
    if LATER_TAGS.search(text, at):
        raise ReadError(SEVERAL)
    if flaws := foreign({name: [value] for name, value in tags.items()}, game):
        raise ReadError(_of_another_game(flaws[0], game))
    if LINK.match(text, at):
        raise ReadError(
            "a link cannot be followed from here. Paste the game itself (PGN) or the position (FEN)"
        )
    fen, movetext = _cut(text[at:].strip(), tags.get("FEN"))
    if not movetext and fen is None:
        raise ReadError("there is nothing to read. Paste a PGN, a list of moves or a FEN")
    return _followed(game, game.start(fen), movetext, tags)


def _of_another_game(flaw: str, game: Game) -> str:
    """Only for a game that we know there is a model to choose."""
    found, known, _ = flaw.partition(": read it")
    names = " and ".join(other.name for other in all_games())
    step = "Choose a model that plays it" if known else f"Only {names} are known here"
    return f"{found}, not of {game.name}. {step}"


def _cut(text: str, fen: str | None) -> tuple[str | None, str]:
    """The FEN and the moves behind it. `startpos` and `moves` are words of UCI."""
    found = list(islice(re.finditer(r"\S+", text), len(FEN_FIELDS) + 1))
    words = [word.group() for word in found]
    if fen is None and words and "/" in words[0] and words[0] not in RESULTS.values():
        count = 1
        for form, word in zip(FEN_FIELDS, words[1:], strict=False):
            if not form.fullmatch(word):
                break
            count += 1
        fen, text = " ".join(words[:count]), text[found[count - 1].end() :]
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
    return Pasted(start=start, plies=plies, last=last, names=_names(game, tags), result=result, tags=tags)


def _names(game: Game, tags: dict[str, str]) -> tuple[str, str] | None:
    """Records of xiangqi call the first player Red or White."""
    first = tags.get(game.sides[0], tags.get("White"))
    second = tags.get(game.sides[1])
    return None if first is None and second is None else (first or "?", second or "?")
