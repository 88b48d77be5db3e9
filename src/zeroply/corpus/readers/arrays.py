"""A folder of plain arrays: the way in for other people's binary collections.

    moves.npy    uint16, all games end to end: from | to << 6 | promotion << 12
                 (squares a1 = 0 … h8 = 63; promotion 0 none, 1 N, 2 B, 3 R, 4 Q; castling is e1g1, e1c1, …)
    offsets.npy  int64 [games + 1]: game i is moves[offsets[i]:offsets[i + 1]]
    games.npy    uint16 [games, 4]: both ratings, result, year; the result is 0 if the first player lost,
                 1 for a draw, 2 if he won, 3 if unknown
    cp.npy       int16 per move, optional: centipawns as the first player sees it, ±(32000 - n) a mate in n,
                 32767 none

Every game starts from the usual first position. Its moves are taken on trust: they must be legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.readers.skipped import Skipped
from zeroply.corpus.score import NO_EVALUATION, UNKNOWN_RESULT, Kind, Score
from zeroply.errors import ReadError
from zeroply.games import Game

NO_CP = 32767


def move_numbers(game: Game) -> NDArray[np.int32]:
    """[2**16] the table's number of each packed move, -1 for what is no move."""
    numbers = np.full(2**16, -1, np.int32)
    table = game.moves
    numbers[table.start | table.end << 6 | table.promotion << 12] = np.arange(len(table))
    return numbers


def read(source: Path, game: Game) -> Iterator[Score | Skipped]:
    def load(name: str) -> NDArray[Any]:
        try:
            array: NDArray[Any] = np.load(source / name, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError) as error:
            raise ReadError(f"{source / name} cannot be read: {error}") from None
        return array

    moves, offsets, games = load("moves.npy"), np.asarray(load("offsets.npy")), np.asarray(load("games.npy"))
    if len(games) != len(offsets) - 1 or offsets[-1] != len(moves):
        raise ReadError(f"{source}: moves.npy, offsets.npy and games.npy do not belong together")
    cp = load("cp.npy") if (source / "cp.npy").exists() else None
    numbers = move_numbers(game)
    for number, (first, last) in enumerate(pairwise(offsets)):
        played = numbers[moves[first:last]]
        if not len(played) or played.min() < 0:
            yield Skipped(
                source.name,
                number + 1,
                "it has no moves" if not len(played) else "a move is none of the table",
            )
            continue
        first_rating, second_rating, result, year = games[number].tolist()
        yield Score(
            moves=played,
            result=None if result == UNKNOWN_RESULT else result / 2,
            evaluations=() if cp is None else _movers_view(cp[first:last]),
            ratings=(first_rating, second_rating),
            year=year,
            kind=Kind.human if cp is None else Kind.engine,
        )


def _movers_view(cp: NDArray[np.int16]) -> NDArray[np.int16]:
    signed = np.where(np.arange(len(cp)) % 2 == 0, cp, -cp)
    return np.where(cp == NO_CP, NO_EVALUATION, signed).astype(np.int16)
