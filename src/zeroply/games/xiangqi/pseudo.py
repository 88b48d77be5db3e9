"""Pseudo-legal moves of many positions at once, by array operations that NumPy and torch share.

Shapes: B positions, M moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroply.games.arrays import cast, int64, is_numpy, like, namespace, pick
from zeroply.games.base import Array, MoveTable, Rows
from zeroply.games.xiangqi import XIANGQI
from zeroply.games.xiangqi.pieces import (
    ADVISOR,
    ADVISORS,
    CANNON,
    CHARIOT,
    ELEPHANT,
    ELEPHANTS,
    EYES,
    GENERAL,
    GENERALS,
    HORSE,
    HORSES,
    LEGS,
    NOWHERE,
    RAYS,
    SOLDIER,
    SOLDIERS,
)


class Tables(NamedTuple):
    """What a move is, move by move."""

    start: Array
    end: Array
    """[M] as in the move table."""
    between: Array
    """[90, M] 1.0 for the squares over which a move goes, a horse's leg and an elephant's eye among them: the
    number of pieces there is a matrix product."""
    kinds: Array
    """[M] int16, bit k set if a piece of kind k moves so; soldiers stand apart."""
    soldiers: Array
    """[2, M] whether Red's, then Black's soldier moves so."""


def build_tables(table: MoveTable) -> Tables:
    def made(ends: NDArray[np.int8]) -> NDArray[np.bool_]:
        """[M] whether a move leads to one of the squares [90, n] named for its start."""
        found: NDArray[np.bool_] = (ends[table.start] == table.end[:, None]).any(axis=1)
        return found

    lines = made(RAYS.reshape(len(RAYS), -1))
    reach = {
        ADVISOR: made(ADVISORS),
        ELEPHANT: made(ELEPHANTS),
        HORSE: made(HORSES),
        CANNON: lines,
        CHARIOT: lines,
        GENERAL: made(GENERALS),
    }
    kinds = sum(makes * (1 << kind) for kind, makes in reach.items())

    between = np.zeros((NOWHERE, len(table)), np.float32)
    for ends, over in ((HORSES, LEGS), (ELEPHANTS, EYES)):
        move, step = (ends[table.start] == table.end[:, None]).nonzero()
        between[over[table.start[move], step], move] = 1
    for move, direction, steps in zip(
        *(RAYS[table.start] == table.end[:, None, None]).nonzero(), strict=True
    ):
        between[RAYS[table.start[move], direction, :steps], move] = 1
    return Tables(
        start=table.start,
        end=table.end,
        between=between,
        kinds=np.asarray(kinds, np.int16),
        soldiers=np.stack([made(ends) for ends in SOLDIERS]),
    )


TABLES = build_tables(XIANGQI.moves)
_placed: dict[str, Tables] = {}
"""The tables on each device where they were needed, so that a training step copies nothing."""


def _tables_at(x: Array) -> Tables:
    if is_numpy(x):
        return TABLES
    # Not functools.cache, through which torch.compile looks: each call of its graph would copy the tables.
    place = str(x.device)
    if place not in _placed:
        _placed[place] = Tables(*(like(values, x) for values in TABLES))
    return _placed[place]


def pseudo_legal(rows: Rows) -> Array:
    """[B, M] bool, for rows of either library."""
    board = rows["board"]
    tables, xp = _tables_at(board), namespace(board)
    mine = board * (1 - 2 * rows["turn"])[:, None]  # own pieces positive
    piece, target = pick(mine, tables.start), pick(mine, tables.end)
    soldier = tables.soldiers[int64(rows["turn"])]
    other = ((tables.kinds >> piece.clip(0)) & 1) == 1
    over = cast(board != 0, tables.between) @ tables.between
    screens = (piece == CANNON) & (target < 0)  # a cannon takes over exactly one piece
    return xp.where(piece == SOLDIER, soldier, other) & (target <= 0) & (over == screens)
