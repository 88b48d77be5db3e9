"""Moves of many positions in SAN at once, from their columns: a `Position` for each would take far longer.

Shapes: P positions, M moves.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.games import Rows
from zeroply.games.chess import CHESS, KING, LETTERS, PAWN
from zeroply.games.chess.bulk import ChessSteps, attacked
from zeroply.games.chess.table import square_name

BLOCK = 4096
"""Positions whose legal moves are looked at together: eight megabytes."""
START, END, PROMOTION = CHESS.moves.start, CHESS.moves.end, CHESS.moves.promotion
SQUARES = [square_name(square) for square in range(64)]
PIECES = ["", "", *LETTERS[1:]]
"""By piece code; a pawn has no letter."""
PROMOTIONS = ["", *(f"={letter}" for letter in "NBRQ")]
MARKS = ("", "+", "#")


def _moves_to() -> NDArray[np.int64]:
    """[64, most] the numbers of the moves that end on each square, pawns' promotions apart; -1 for none."""
    ending = [np.flatnonzero((square == END) & (PROMOTION == 0)) for square in range(64)]
    most = max(map(len, ending))
    return np.stack([np.pad(moves, (0, most - len(moves)), constant_values=-1) for moves in ending])


MOVES_TO = _moves_to()


def sans(state: Rows, moves: NDArray[np.integer[Any]]) -> list[str]:
    """[P] the move of each position, with its mark for check or mate; state are NumPy columns."""
    found = list[str]()
    for at in range(0, len(moves), BLOCK):
        block = {name: state[name][at : at + BLOCK] for name in CHESS.columns}
        found += _sans(block, moves[at : at + BLOCK].astype(np.int64))
    return found


def _sans(state: Rows, moves: NDArray[np.int64]) -> list[str]:
    board, row = state["board"], np.arange(len(moves))
    start, end = START[moves], END[moves]
    piece = abs(board[row, start])
    pawn, castling = piece == PAWN, (piece == KING) & (abs(start - end) == 2)
    takes = (board[row, end] != 0) | (pawn & (start % 8 != end % 8))
    marks = _marks(state, moves)
    texts = [
        f"{PIECES[kind]}{origin}{'x' if capture else ''}{SQUARES[target]}{PROMOTIONS[promotion]}{MARKS[mark]}"
        for kind, origin, capture, target, promotion, mark in zip(
            piece.tolist(),
            _origins(state, moves, pawn & takes),
            takes.tolist(),
            end.tolist(),
            PROMOTION[moves].tolist(),
            marks.tolist(),
            strict=True,
        )
    ]
    for at in np.flatnonzero(castling):
        texts[at] = ("O-O" if end[at] > start[at] else "O-O-O") + MARKS[marks[at]]
    return texts


def _origins(state: Rows, moves: NDArray[np.int64], takes_as_pawn: NDArray[np.bool_]) -> list[str]:
    """[P] a taking pawn's file, and what tells a piece from others of its kind that may go to its square."""
    board, start = state["board"], START[moves]
    kind = board[np.arange(len(moves)), start][:, None]
    file, rank = takes_as_pawn.copy(), np.zeros(len(moves), np.bool_)
    several = np.flatnonzero((abs(kind[:, 0]) != PAWN) & ((board == kind).sum(1) > 1))  # others need no look
    legal, row = CHESS.legal({name: column[several] for name, column in state.items()}), several[:, None]
    rivals = MOVES_TO[END[moves[several]]]  # [several, most]
    other, own = START[rivals], start[several][:, None]
    able = (rivals >= 0) & legal[np.arange(len(several))[:, None], rivals] & (other != own)
    able &= board[row, other] == kind[several]
    rank[several] = (able & (other % 8 == own % 8)).any(1)
    file[several] = able.any(1) & (~rank[several] | (able & (other // 8 == own // 8)).any(1))
    return [
        (SQUARES[square][0] if by_file else "") + (SQUARES[square][1] if by_rank else "")
        for square, by_file, by_rank in zip(start.tolist(), file.tolist(), rank.tolist(), strict=True)
    ]


def _marks(state: Rows, moves: NDArray[np.int64]) -> NDArray[np.int64]:
    """[P] 1 where the move gives check, 2 where it mates, else 0."""
    steps = ChessSteps(CHESS.moves, {name: column.copy() for name, column in state.items()})
    steps.step(moves)
    after = steps.state
    side = 1 - 2 * after["turn"]
    king = (after["board"] == KING * side[:, None]).argmax(1)
    marks: NDArray[np.int64] = attacked(after["board"], king, -side).astype(np.int64)
    checks = np.flatnonzero(marks)
    mated = ~CHESS.legal({name: column[checks] for name, column in after.items()}).any(1)
    marks[checks[mated]] = 2
    return marks
