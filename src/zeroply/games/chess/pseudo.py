"""Pseudo-legal moves of many positions at once, by array operations that NumPy and torch share.

Shapes: B positions, M moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zeroply.games.arrays import cast, int64, is_numpy, like, namespace, pick
from zeroply.games.base import Array, MoveTable, Rows
from zeroply.games.chess import BISHOP, CHESS, KING, KNIGHT, PAWN, QUEEN, ROOK

CASTLING = {"e1g1": (5, 6), "e1c1": (3, 2, 1), "e8g8": (61, 62), "e8c8": (59, 58, 57)}
"""The king's move for each of the rights K Q k q, and the squares that must be empty."""


class Tables(NamedTuple):
    """What a move is, move by move."""

    start: Array
    end: Array
    """[M] as in the move table."""
    between: Array
    """[64, M] 1.0 for the squares over which a move goes: the number of pieces there is a matrix product."""
    kinds: Array
    """[M] int8, bit k set if a piece of kind k moves so; pawns and castling stand apart."""
    steps: Array
    takes: Array
    """[2, M] whether White's, then Black's pawn moves so to an empty square, and so to take."""
    castles: Array
    """[4] the king's moves, in the order of the rights; those of White, then of Black."""
    corridors: Array
    """[64, 4] 1.0 for the squares that must be empty to castle."""
    castler: Array
    """[4] the turn in which a right can be used."""


def build_tables(table: MoveTable) -> Tables:
    files = table.end % 8 - table.start % 8
    ranks = table.end // 8 - table.start // 8
    distance = np.maximum(abs(files), abs(ranks))
    straight, diagonal = (files == 0) | (ranks == 0), abs(files) == abs(ranks)
    reach = {
        KNIGHT: ~straight & ~diagonal,
        BISHOP: diagonal,
        ROOK: straight,
        QUEEN: straight | diagonal,
        KING: distance == 1,
    }
    kinds = sum((makes & (table.promotion == 0)) * (1 << kind) for kind, makes in reach.items())

    between = np.zeros((64, len(table)), np.float32)
    for step in range(1, 7):
        longer = np.flatnonzero(reach[QUEEN] & (distance > step))
        square = table.start + step * (8 * np.sign(ranks) + np.sign(files))
        between[square[longer], longer] = 1

    steps, takes = [], []
    for up, rank in ((ranks, table.start // 8), (-ranks, 7 - table.start // 8)):
        fits = (table.promotion > 0) == (rank == 6)
        steps.append(fits & (files == 0) & ((up == 1) | ((up == 2) & (rank == 1))))
        takes.append(fits & (abs(files) == 1) & (up == 1))

    corridors = np.zeros((64, len(CASTLING)), np.float32)
    for right, squares in enumerate(CASTLING.values()):
        corridors[squares, right] = 1
    return Tables(
        start=table.start,
        end=table.end,
        between=between,
        kinds=np.asarray(kinds, np.int8),
        steps=np.stack(steps),
        takes=np.stack(takes),
        castles=np.array([table.number(name) for name in CASTLING]),
        corridors=corridors,
        castler=np.array([0, 0, 1, 1]),
    )


TABLES = build_tables(CHESS.moves)
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
    """[B, M] bool, for rows of either library; a row's right to castle says that king and rook stand at home,
    its en-passant square that a pawn has just passed it."""
    board, turn = rows["board"], int64(rows["turn"])
    tables, xp = _tables_at(board), namespace(board)
    mine = board * (1 - 2 * rows["turn"])[:, None]  # own pieces positive
    piece, target = pick(mine, tables.start), pick(mine, tables.end)
    taking = (target < 0) | (rows["en_passant"][:, None] == tables.end)
    pawn = xp.where(taking, tables.takes[turn], tables.steps[turn])
    other = ((tables.kinds >> piece.clip(0)) & 1) == 1
    occupied = cast(board != 0, tables.between)
    moves = xp.where(piece == PAWN, pawn, other) & (target <= 0) & (occupied @ tables.between == 0)
    castling = (rows["rights"] == 1) & (turn[:, None] == tables.castler)
    moves[:, tables.castles] |= castling & (occupied @ tables.corridors == 0)
    return moves
