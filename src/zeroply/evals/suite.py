"""Suites of test positions in EPD: the best move is to be found (`bm`), a bad one avoided (`am`), and where
moves have points, as in the Strategic Test Suite, as many as possible are to be won."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zeroply.corpus.readers.files import open_text
from zeroply.errors import PositionError, ReadError
from zeroply.evals.asking import Asking
from zeroply.evals.bands import FEWEST, grouped, within
from zeroply.evals.epd import Entry, move_called, parse_entry
from zeroply.evals.intervals import share_of
from zeroply.evals.measures import measured
from zeroply.evals.positions import BATCH
from zeroply.games import Game, Position
from zeroply.players.base import Player


@dataclass(frozen=True, kw_only=True)
class Task:
    position: Position
    best: frozenset[int]
    avoid: frozenset[int]
    points: Mapping[int, int]
    """Of the moves that have some."""
    theme: str
    """What its `id` says before the last number; positions of one theme are told together."""

    def solved_by(self, move: int | None) -> bool:
        if move is None:
            return False
        best = self.best or (self._with_most_points() if not self.avoid else frozenset())
        return move not in self.avoid and (not best or move in best)

    def points_of(self, move: int | None) -> int:
        return 0 if move is None else self.points.get(move, 0)

    @property
    def most_points(self) -> int:
        """That a move has here; 0 where none has any."""
        return max(self.points.values(), default=0)

    def _with_most_points(self) -> frozenset[int]:
        return frozenset(move for move, points in self.points.items() if points == self.most_points)


def read_suite(source: Path, game: Game, *, limit: int | None, seed: int = 0) -> list[Task]:
    """All positions of a file, or `limit` of them drawn at random."""
    with open_text(source) as file:
        lines = [(number, line) for number, line in enumerate(file, 1) if line.strip()]
    lines = [(number, line) for number, line in lines if not line.lstrip().startswith("#")]
    if not lines:
        raise ReadError(f"{source} holds no positions. Give an EPD file, one position a line")
    if limit is not None and limit < len(lines):
        lines = sorted(random.Random(seed).sample(lines, limit))  # noqa: S311
    return [_task(line, f"{source}, line {number}", game) for number, line in lines]


def play_suite(
    player: Player,
    tasks: Sequence[Task],
    seed: int = 0,
    progress: Callable[[Iterable[int], int], Iterable[int]] = lambda steps, _: steps,
) -> dict[str, Any]:
    """The share of positions solved, and the mean share of the most points that a move has, where moves have
    points; of all and by theme."""
    asking = Asking(player)
    chosen: list[int | None] = []
    starts = range(0, len(tasks), BATCH)
    for start in progress(starts, len(starts)):
        chosen += asking.moves([task.position for task in tasks[start : start + BATCH]])
    played = list(zip(tasks, chosen, strict=True))
    result = _numbers(played, seed)
    result |= {
        "points_won": sum(task.points_of(move) for task, move in played),
        "points_possible": sum(task.most_points for task in tasks),
        **asking.about(),
    }
    for theme, own in grouped(played, lambda one: filter(None, [one[0].theme]), fewest=FEWEST).items():
        result |= within(_numbers(own, seed), "theme", theme)
    return result


def _numbers(played: Sequence[tuple[Task, int | None]], seed: int) -> dict[str, Any]:
    numbers = {"n": len(played), **share_of("solved", [task.solved_by(move) for task, move in played])}
    won = [task.points_of(move) / task.most_points for task, move in played if task.most_points]
    return numbers | (measured({"points": np.array(won)}, np.arange(len(won)), seed) if won else {})


def _task(line: str, place: str, game: Game) -> Task:
    entry = parse_entry(line)
    try:
        position = game.start(entry.fen)
    except PositionError as error:
        raise ReadError(f"{place}: {error}") from None
    if position.reason() is not None:
        raise ReadError(f"{place}: the game is over in '{entry.fen}': {position.reason()}")

    def move(text: str) -> int:
        found = move_called(game, position, text)
        if found is None:
            raise ReadError(f"{place}: '{text}' is no legal move in {position.fen()}")
        return found

    best, avoid = (frozenset(map(move, entry.operations.get(name, "").split())) for name in ("bm", "am"))
    points = {move(text): points for text, points in _points(entry).items()}
    if not (best or avoid or any(points.values())):
        raise ReadError(f"{place}: it has no bm, am or points, so that nothing is to be found there")
    return Task(
        position=position, best=best, avoid=avoid, points=points, theme=_theme(entry.operations.get("id", ""))
    )


def _points(entry: Entry) -> dict[str, int]:
    """By move, as STS has them: c8 "10 2" of the moves c9 "f4f5 d4e5", or c0 "f5=10, Be5+=2"; a c0 of
    another kind is a comment."""
    moves, points = (entry.operations.get(name, "").split() for name in ("c9", "c8"))
    if moves and len(moves) == len(points) and all(word.isdecimal() for word in points):
        return dict(zip(moves, map(int, points), strict=True))
    pairs = [part.strip().rpartition("=") for part in entry.operations.get("c0", "").split(",")]
    if all(text and number.isdecimal() for text, _, number in pairs):
        return {text.strip(): int(number) for text, _, number in pairs}
    return {}


def _theme(name: str) -> str:
    """An id in small letters, with _ for all that is no letter or number, without its last number."""
    return re.sub(r"\W+", "_", re.sub(r"\W*\d+\W*$", "", name)).strip("_").lower()
