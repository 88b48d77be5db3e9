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
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.readers.base import Reader
from zeroply.corpus.readers.pieces import Piece
from zeroply.corpus.score import NO_EVALUATION, Kind, Skipped
from zeroply.corpus.scores import Scores
from zeroply.errors import ReadError
from zeroply.games import Game

NO_CP = 32767
GAMES = 2**15
"""Games of a piece."""


def move_numbers(game: Game) -> NDArray[np.int32]:
    """[2**16] the table's number of each packed move, -1 for what is no move."""
    numbers = np.full(2**16, -1, np.int32)
    table = game.moves
    numbers[table.start | table.end << 6 | table.promotion << 12] = np.arange(len(table))
    return numbers


def _load(source: Path, name: str) -> NDArray[Any]:
    try:
        array: NDArray[Any] = np.load(source / name, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise ReadError(f"{source / name} cannot be read: {error}") from None
    return array


def _pieces(source: Path) -> Iterator[Piece]:
    moves, offsets, games = (_load(source, name) for name in ("moves.npy", "offsets.npy", "games.npy"))
    fits = len(games) == len(offsets) - 1 and offsets[0] == 0 and offsets[-1] == len(moves)
    if not fits or (np.diff(offsets) < 0).any():
        raise ReadError(f"{source}: moves.npy, offsets.npy and games.npy do not belong together")
    for first in range(0, len(games), GAMES):
        last = min(first + GAMES, len(games))
        yield Piece(path=source, games=range(first, last), share=last / len(games))


def _parse(piece: Piece, game: Game) -> Scores:
    source, first, last = piece.path, piece.games.start, piece.games.stop
    offsets = np.asarray(_load(source, "offsets.npy")[first : last + 1])
    plies = slice(int(offsets[0]), int(offsets[-1]))
    lengths = np.diff(offsets)
    numbers = move_numbers(game)[_load(source, "moves.npy")[plies]]
    bad = lengths == 0
    bad[np.repeat(np.arange(len(lengths)), lengths)[numbers < 0]] = True
    skipped = [
        Skipped(source.name, number + 1, "a move is none of the table" if length else "it has no moves")
        for number, length in zip(np.flatnonzero(bad).tolist(), lengths[bad].tolist(), strict=True)
    ]
    good, kept = ~bad, np.repeat(~bad, lengths)
    about = np.asarray(_load(source, "games.npy")[first:last])[good]
    evaluated = (source / "cp.npy").exists()
    return Scores(
        moves=numbers[kept].astype(np.uint16),
        lengths=lengths[good],
        results=about[:, 2].astype(np.uint8),
        ratings=about[:, :2].astype(np.uint16),
        years=about[:, 3].astype(np.uint16),
        kinds=np.full(len(about), Kind.engine if evaluated else Kind.human, np.uint8),
        evaluations=_movers_view(_load(source, "cp.npy")[plies], lengths)[kept] if evaluated else None,
        skipped=skipped,
    )


READER = Reader(_pieces, _parse)


def _movers_view(cp: NDArray[np.int16], lengths: NDArray[np.int64]) -> NDArray[np.int16]:
    ply = np.arange(len(cp)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    signed = np.where(ply % 2 == 0, cp, -cp)
    return np.where(cp == NO_CP, NO_EVALUATION, signed).astype(np.int16)
