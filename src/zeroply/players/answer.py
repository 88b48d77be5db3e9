"""What an engine says of a position: the move it would play and, of its best lines, what each is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zeroply.players.options import whole

NO_MOVE = ("", "(none)", "0000")
"""How engines write that they have none to play."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line of play and its value for the side to move: centipawns, or moves to a mate, less than 0 where
    the mover is mated."""

    moves: tuple[str, ...]
    cp: int | None = None
    mate: int | None = None


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What was said last, when the engine had stopped thinking. Moves are texts of its language."""

    best: str
    lines: tuple[Line, ...] = ()
    """Only those with a value, the best first."""
    depth: int = 0
    nodes: int = 0

    @property
    def over(self) -> bool:
        """Whether the engine takes the game for over. Engines say so by a value without any search; those
        that just have no move to give have failed."""
        return self.best in NO_MOVE and self.depth == 0 and bool(self.lines)


class Listener:
    """Gathers an answer from what an engine says while it thinks: of each line, what it says last counts."""

    def __init__(self) -> None:
        self._lines: dict[int, Line] = {}
        self._depth = self._nodes = 0

    def hear(self, words: Sequence[str]) -> None:
        """One `info` that tells what a line is worth; others, and what makes no sense, are passed over."""
        if "score" not in words or "string" in words:
            return
        said = words[: words.index("pv")] if "pv" in words else words
        place, nodes = _number("multipv", said), _number("nodes", said)
        line = _line(said, words[len(said) + 1 :])
        if line is None:
            return
        self._lines[place or 1] = line
        self._nodes = nodes or self._nodes
        if place in (None, 1):
            self._depth = _number("depth", said) or 0

    def answer(self, words: Sequence[str]) -> Answer:
        """`words` are those of `bestmove`."""
        return Answer(
            best=words[1] if len(words) > 1 else "",
            lines=tuple(self._lines[place] for place in sorted(self._lines)),
            depth=self._depth,
            nodes=self._nodes,
        )


def _line(said: Sequence[str], moves: Sequence[str]) -> Line | None:
    value = said[said.index("score") + 1 :]
    if value[:1] == ["mate"]:
        mate = whole(value[1]) if len(value) > 1 else None
        return None if mate is None else Line(moves=tuple(moves), mate=mate)
    # UCCI writes centipawns without their name.
    text = value[1:2] if value[:1] == ["cp"] else value[:1]
    cp = whole(text[0]) if text else None
    return None if cp is None else Line(moves=tuple(moves), cp=cp)


def _number(name: str, words: Sequence[str]) -> int | None:
    """The number behind a word."""
    at = words.index(name) + 1 if name in words else len(words)
    return whole(words[at]) if at < len(words) else None
