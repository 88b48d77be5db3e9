"""Puzzles: a puzzle is solved when every move of the solver is right; any mate will do as the last one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zeroply.corpus.readers import puzzles
from zeroply.corpus.score import Score, Skipped
from zeroply.errors import ReadError
from zeroply.evals.asking import Asking
from zeroply.evals.bands import FEWEST, UNKNOWN, grouped, rating_band, within
from zeroply.evals.intervals import share_of
from zeroply.evals.positions import BATCH
from zeroply.games import Game, Position
from zeroply.players.base import Player


@dataclass(frozen=True, kw_only=True)
class Puzzles:
    sound: Sequence[Score]
    """Their positions and all their moves are legal."""
    skipped: int
    """So many others the file holds."""


def read_puzzles(source: Path, game: Game, *, limit: int | None, seed: int = 0) -> Puzzles:
    """All sound puzzles of a file, or `limit` of them drawn at random."""
    if puzzles.READER.only not in (None, game.name):
        raise ReadError(
            f"{source}: puzzles are of {puzzles.READER.only}, and the model plays {game.name}. "
            "Choose another model"
        )
    every = list(puzzles.READER.read(source, game))
    sound = [item for item in every if not isinstance(item, Skipped)]
    skipped = [item for item in every if isinstance(item, Skipped)]
    if not sound:
        first = f" that can be played. The first: {skipped[0].reason}" if skipped else ""
        raise ReadError(f"{source} holds no puzzle{first}")
    if limit is not None and limit < len(sound):
        sound = random.Random(seed).sample(sound, limit)  # noqa: S311
    return Puzzles(sound=sound, skipped=len(skipped))


def solve(
    player: Player,
    game: Game,
    found: Puzzles,
    progress: Callable[[Iterable[int], int], Iterable[int]] = lambda steps, _: steps,
) -> dict[str, Any]:
    """The shares of puzzles solved, and of first moves right, with 95 % intervals, of all, by rating and by
    theme."""
    asking = Asking(player)
    played: list[tuple[Score, int]] = []
    starts = range(0, len(found.sound), BATCH)
    for start in progress(starts, len(starts)):
        batch = found.sound[start : start + BATCH]
        played += zip(batch, _right_moves(asking, game, batch), strict=True)
    result = {"n": len(played), "skipped": found.skipped} | asking.about() | _shares(played)
    by = {
        "rating": grouped(played, lambda one: [_rating(one[0])]),
        "theme": grouped(played, lambda one: one[0].tags.get("Themes", "").split(), fewest=FEWEST),
    }
    for dimension, bands in by.items():
        for band, own in bands.items():
            result |= within({"n": len(own), **_shares(own)}, dimension, band)
    return result


def _shares(played: Sequence[tuple[Score, int]]) -> dict[str, Any]:
    solved = [right == len(puzzle.moves) // 2 for puzzle, right in played]
    first = [right >= 1 for _, right in played]
    return share_of("solved", solved) | share_of("first_move", first)


def _rating(puzzle: Score) -> str:
    text = puzzle.tags.get("Rating", "")
    return rating_band(int(text)) if text.isdecimal() else UNKNOWN


def _right_moves(asking: Asking, game: Game, batch: Sequence[Score]) -> list[int]:
    """For each puzzle, how many of the solver's moves were right before the first wrong one."""
    positions = [game.start(puzzle.start).play(puzzle.moves[0]) for puzzle in batch]
    right = [0] * len(batch)
    alive = list(range(len(batch)))
    while alive:
        chosen = asking.moves([positions[number] for number in alive])
        still = []
        for number, move in zip(alive, chosen, strict=True):
            line, at = batch[number].moves, 2 * right[number] + 1
            last = at + 2 >= len(line)
            if move is None or (move != line[at] and not (last and _mates(positions[number], move))):
                continue
            right[number] += 1
            if not last:
                positions[number] = positions[number].play(move).play(line[at + 1])
                still.append(number)
        alive = still
    return right


def _mates(position: Position, move: int) -> bool:
    return position.play(move).result() == 1.0 - position.turn
