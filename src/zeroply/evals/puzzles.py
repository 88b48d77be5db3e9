"""Puzzles: a puzzle is solved when every move of the solver is right; any mate will do as the last one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from zeroply.corpus.readers import puzzles
from zeroply.corpus.score import Score, Skipped
from zeroply.errors import IllegalMoveError, PositionError, ReadError
from zeroply.evals.bands import FEWEST, UNKNOWN, grouped, rating_band, within
from zeroply.evals.intervals import share_of
from zeroply.games import Game, Position
from zeroply.players.base import Player

BATCH = 256


def read_puzzles(source: Path, game: Game, *, limit: int | None, seed: int = 0) -> list[Score]:
    """All sound puzzles of a file, or `limit` of them drawn at random."""
    if puzzles.READER.only not in (None, game.name):
        raise ReadError(f"{source}: puzzles are of {puzzles.READER.only}, and the model plays {game.name}")
    found = [item for item in puzzles.READER.read(source, game) if not isinstance(item, Skipped)]
    if not found:
        raise ReadError(f"{source} holds no puzzle")
    return found if limit is None or limit >= len(found) else random.Random(seed).sample(found, limit)  # noqa: S311


def solve(
    player: Player,
    game: Game,
    found: Sequence[Score],
    progress: Callable[[Iterable[int], int], Iterable[int]] = lambda steps, _: steps,
) -> dict[str, Any]:
    """The shares of puzzles solved, and of first moves right, with 95 % intervals, of all, by rating and by
    theme. Puzzles whose own line is not legal are left out and counted."""
    played: list[tuple[Score, int]] = []
    starts = range(0, len(found), BATCH)
    for start in progress(starts, len(starts)):
        batch = [puzzle for puzzle in found[start : start + BATCH] if _is_sound(puzzle, game)]
        played += zip(batch, _right_moves(player, game, batch), strict=True)
    skipped = len(found) - len(played)
    if not played:
        raise ReadError(f"none of {skipped} puzzles can be played: their moves are not legal")
    result = {"n": len(played), "skipped": skipped} | _shares(played)
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


def _is_sound(puzzle: Score, game: Game) -> bool:
    """Whether its position and all its moves are legal."""
    try:
        position = game.start(puzzle.start)
        for move in puzzle.moves:
            position = position.play(int(move))
    except (PositionError, IllegalMoveError):
        return False
    return True


def _right_moves(player: Player, game: Game, batch: Sequence[Score]) -> list[int]:
    """For each puzzle, how many of the solver's moves were right before the first wrong one."""
    positions = [game.start(puzzle.start).play(puzzle.moves[0]) for puzzle in batch]
    right = [0] * len(batch)
    alive = list(range(len(batch)))
    while alive:
        chosen = player.choose([positions[number] for number in alive])
        still = []
        for number, move in zip(alive, chosen, strict=True):
            line, at = batch[number].moves, 2 * right[number] + 1
            last = at + 2 >= len(line)
            if move != line[at] and not (last and _mates(positions[number], move)):
                continue
            right[number] += 1
            if not last:
                positions[number] = positions[number].play(move).play(line[at + 1])
                still.append(number)
        alive = still
    return right


def _mates(position: Position, move: int) -> bool:
    return position.play(move).result() == 1.0 - position.turn
