"""What an engine says of a position: the move it would play and, of its best lines, what each is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zeroply.players.options import number_after, whole

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
    """Gathers an answer from what an engine says while it thinks: of each line, what it says last counts.
    A bound tells that a value is somewhere beyond, not what it is: the last value of the same move counts
    instead, if there was one."""

    def __init__(self) -> None:
        self._said: dict[str, Sequence[str]] = {}
        """By the places of lines, as they are written. Far more is said than counts, so it is parsed last."""
        self._exact: dict[str, Sequence[str]] = {}
        """By the first moves of lines."""

    def hear(self, words: Sequence[str]) -> None:
        """One `info`. Those that do not tell what a line is worth are passed over."""
        if "score" not in words or words[1] == "string":
            return
        at = words.index("multipv") + 1 if "multipv" in words else len(words)
        self._said[words[at] if at < len(words) else "1"] = words
        if not _is_bound(words):
            self._exact[_first_move(words)] = words

    def answer(self, words: Sequence[str]) -> Answer:
        """`words` are those of `bestmove`. What makes no sense is left out."""
        every = {
            place: self._exact.get(_first_move(said), said) if _is_bound(said) else said
            for place, said in self._said.items()
        }
        found = {
            place: line for text, said in every.items() if (place := whole(text)) and (line := _line(said))
        }
        first = every.get("1", ())
        return Answer(
            best=words[1] if len(words) > 1 else "",
            lines=tuple(found[place] for place in sorted(found)),
            depth=number_after("depth", first) or 0,
            nodes=number_after("nodes", first) or 0,
        )


def _is_bound(words: Sequence[str]) -> bool:
    return "lowerbound" in words or "upperbound" in words


def _first_move(words: Sequence[str]) -> str:
    at = words.index("pv") + 1 if "pv" in words else len(words)
    return words[at] if at < len(words) else ""


def _line(words: Sequence[str]) -> Line | None:
    at = words.index("pv") if "pv" in words else len(words)
    value, moves = words[words.index("score") + 1 : at], tuple(words[at + 1 :])
    if value[:1] == ["mate"]:
        mate = whole(value[1]) if len(value) > 1 else None
        return None if mate is None else Line(moves=moves, mate=mate)
    # UCCI writes centipawns without their name.
    text = value[1:2] if value[:1] == ["cp"] else value[:1]
    cp = whole(text[0]) if text else None
    return None if cp is None else Line(moves=moves, cp=cp)
