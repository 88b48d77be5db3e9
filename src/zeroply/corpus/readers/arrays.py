"""A folder of plain arrays: the way in for other people's binary collections.

    moves.npy    uint16, all games end to end: from | to << 6 | promotion << 12
                 (squares a1 = 0 … h8 = 63; promotion 0 none, 1 N, 2 B, 3 R, 4 Q; castling is e1g1, e1c1, …)
    offsets.npy  int64 [games + 1]: game i is moves[offsets[i]:offsets[i + 1]]
    games.npy    uint16 [games, 4]: both ratings, result, year; the result is 0 if the first player lost,
                 1 for a draw, 2 if he won, 3 if unknown
    cp.npy       int16 per move, optional: centipawns of the position before the move as the first player sees
                 it, ±(32000 - n) for a mate in n *plies* (up to 1000), 32767 none
    kinds.npy    uint8 [games], optional: who played, 0 people, 1 engines, 2 a puzzle. Without it games with
                 cp.npy count as engines', others as people's

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
from zeroply.corpus.score import (
    LONGEST_MATE,
    MATE,
    MOST_CENTIPAWNS,
    MOST_ELO,
    NO_EVALUATION,
    UNKNOWN_RESULT,
    Kind,
    Skipped,
)
from zeroply.corpus.scores import Scores
from zeroply.errors import ReadError
from zeroply.games import Game

NO_CP = 32767
GAMES = 2**15
"""Games of a piece."""
FORMATS = {"moves": "uint16", "offsets": "int64", "games": "uint16", "cp": "int16", "kinds": "uint8"}
NEEDED = ("moves", "offsets", "games")


def move_numbers(game: Game) -> NDArray[np.int32]:
    """[2**16] the table's number of each packed move, -1 for what is no move."""
    numbers = np.full(2**16, -1, np.int32)
    table = game.moves
    numbers[table.start | table.end << 6 | table.promotion << 12] = np.arange(len(table))
    return numbers


def _pieces(source: Path) -> Iterator[Piece]:
    found = _load_all(source)
    _check(source, found)
    games = len(found["games"])
    for first in range(0, games, GAMES):
        last = min(first + GAMES, games)
        yield Piece(path=source, games=range(first, last), share=last / games)


def _parse(piece: Piece, game: Game) -> Scores:
    found, chosen = _load_all(piece.path), slice(piece.games.start, piece.games.stop)
    offsets = np.asarray(found["offsets"][piece.games.start : piece.games.stop + 1])
    lengths, plies = np.diff(offsets), slice(int(offsets[0]), int(offsets[-1]))
    numbers = move_numbers(game)[found["moves"][plies]]
    about, cp = np.asarray(found["games"][chosen]), found.get("cp")
    usual = np.full(len(about), Kind.human if cp is None else Kind.engine, np.uint8)
    kinds = np.asarray(found["kinds"][chosen]) if "kinds" in found else usual
    unknown = np.zeros(len(lengths), np.bool_)
    unknown[np.repeat(np.arange(len(lengths)), lengths)[numbers < 0]] = True
    flaws = {
        "it has no moves": lengths == 0,
        "a move is none of the table": unknown,
        "its result is not 0, 1, 2 or 3": about[:, 2] > UNKNOWN_RESULT,
        "its kind of player is not 0, 1 or 2": kinds > Kind.puzzle,
    }
    reasons = {int(at): reason for reason, bad in flaws.items() for at in np.flatnonzero(bad)}
    good = np.ones(len(lengths), np.bool_)
    good[list(reasons)] = False
    kept = np.repeat(good, lengths)
    return Scores(
        moves=numbers[kept].astype(np.uint16),
        lengths=lengths[good],
        results=about[good, 2].astype(np.uint8),
        ratings=np.where(about[good, :2] > MOST_ELO, 0, about[good, :2]),
        years=about[good, 3],
        kinds=kinds[good],
        evaluations=None if cp is None else _movers_view(cp[plies], offsets - offsets[0])[kept],
        skipped=[Skipped(piece.path.name, at + 1, reasons[at]) for at in sorted(reasons)],
    )


READER = Reader(_pieces, _parse, only="chess")


def _load_all(source: Path) -> dict[str, NDArray[Any]]:
    return {
        name: _load(source / f"{name}.npy", dtype)
        for name, dtype in FORMATS.items()
        if name in NEEDED or (source / f"{name}.npy").exists()
    }


def _load(path: Path, dtype: str) -> NDArray[Any]:
    try:
        array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise ReadError(f"{path} cannot be read: {error}") from None
    if array.dtype != dtype:
        raise ReadError(f"{path} holds {array.dtype}, not {dtype}")
    return array


def _check(source: Path, found: dict[str, NDArray[Any]]) -> None:
    moves, offsets, games = (found[name] for name in NEEDED)
    fits = (
        moves.ndim == offsets.ndim == 1
        and games.ndim == 2
        and games.shape == (len(offsets) - 1, 4)
        and offsets[0] == 0
        and offsets[-1] == len(moves)
        and bool((np.diff(offsets) >= 0).all())
        and ("cp" not in found or found["cp"].shape == moves.shape)
        and ("kinds" not in found or found["kinds"].shape == (len(games),))
    )
    if not fits:
        names = ", ".join(f"{name}.npy" for name in found)
        raise ReadError(f"{source}: {names} do not belong together. docs/corpus.md says how they look")


def _movers_view(cp: NDArray[np.int16], within: NDArray[np.int64]) -> NDArray[np.int16]:
    """The values of some games as movers see them, mates in moves; `within` tells where each game begins."""
    value = cp.astype(np.int32)
    size = abs(value).clip(max=MATE)
    moves = (MATE + 1 - size) // 2  # n plies are (n + 1) // 2 moves
    size = np.where(size >= MATE - LONGEST_MATE, MATE - moves, size.clip(max=MOST_CENTIPAWNS))
    second = (np.arange(len(cp)) - np.repeat(within[:-1], np.diff(within))) % 2
    signed = np.sign(value) * np.where(second, -size, size)
    return np.where(cp == NO_CP, NO_EVALUATION, signed).astype(np.int16)
