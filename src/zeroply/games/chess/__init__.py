"""Chess. Nothing here needs python-chess until a single position is asked for: training runs without it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zeroply.errors import PositionError, needs
from zeroply.games.base import Array, Column, Frame, MoveTable, Rows
from zeroply.games.chess.bulk import ChessSteps
from zeroply.games.chess.table import MIRROR, build_table, square_name

if TYPE_CHECKING:
    from zeroply.games.chess.position import ChessPosition

LETTERS = "PNBRQK"
"""Piece codes: P N B R Q K are 1 … 6, Black's negative."""


@dataclass(frozen=True)
class Chess:
    """The numbers of chess and the ways into its rules. Squares: a1 is 0, b1 is 1, h8 is 63."""

    name: str = "chess"
    files: int = 8
    ranks: int = 8
    kinds: int = len(LETTERS)

    @cached_property
    def moves(self) -> MoveTable:
        return build_table()

    @property
    def mirror(self) -> NDArray[np.int64]:
        return MIRROR

    @cached_property
    def columns(self) -> Mapping[str, Column]:
        byte, short = np.dtype(np.int8), np.dtype(np.int16)
        return {
            "board": Column(dtype=byte, shape=(64,), frame=Frame.PIECES),
            "turn": Column(dtype=byte),
            "rights": Column(dtype=byte, shape=(4,), frame=Frame.SIDES),
            "en_passant": Column(dtype=byte, frame=Frame.SQUARE),
            "halfmove": Column(dtype=short, scale=50.0),
            "repeats": Column(dtype=byte, scale=2.0),
            "ply": Column(dtype=short, scale=100.0),
        }

    def start(self, fen: str | None = None) -> ChessPosition:
        from zeroply.games.chess.position import ChessPosition  # the only part that needs python-chess

        return ChessPosition.from_fen(fen)

    def restore(self, row: Rows) -> ChessPosition:
        board, rights = row["board"][0], row["rights"][0]
        ranks = [
            "".join(self._letter(int(code)) for code in board[rank * 8 : rank * 8 + 8]) for rank in range(8)
        ]
        pieces = re.sub(r"1+", lambda run: str(len(run[0])), "/".join(reversed(ranks)))
        castling = "".join(letter for letter, right in zip("KQkq", rights, strict=True) if right) or "-"
        turn, square = "wb"[int(row["turn"][0])], int(row["en_passant"][0])
        passant = square_name(square) if square >= 0 else "-"
        clocks = f"{int(row['halfmove'][0])} {int(row['ply'][0]) // 2 + 1}"
        return self.start(f"{pieces} {turn} {castling} {passant} {clocks}")

    @staticmethod
    def _letter(code: int) -> str:
        """As in a FEN, an empty square as 1."""
        return "1" if not code else LETTERS[code - 1] if code > 0 else LETTERS[-code - 1].lower()

    def board_of(self, fen: str) -> NDArray[np.int8]:
        board = np.zeros(64, np.int8)
        ranks = fen.split()[0].split("/") if fen.split() else []
        for rank, text in enumerate(reversed(ranks)):
            file = 0
            for letter in text:
                if letter.isdigit():
                    file += int(letter)
                elif letter.upper() in LETTERS and file < 8 and len(ranks) == 8:
                    code = LETTERS.index(letter.upper()) + 1
                    board[rank * 8 + file] = code if letter.isupper() else -code
                    file += 1
                else:
                    raise PositionError(f"'{fen}' is not a chess position: what is '{letter}' in '{text}'?")
        return board

    def first_state(self) -> dict[str, NDArray[Any]]:
        first = {
            "board": self.board_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"),
            "rights": [1] * 4,
            "en_passant": -1,
        }
        return {
            name: np.array([first.get(name, np.zeros(column.shape))], column.dtype)
            for name, column in self.columns.items()
        }

    def steps(self, state: dict[str, Array]) -> ChessSteps:
        return ChessSteps(self.moves, state)

    def legal(self, rows: Rows) -> NDArray[np.bool_]:
        with needs("data", "legality of many positions at once"):
            from zeroply.games.chess.legality import legal  # the only part that needs numba

        return legal(rows)

    def pseudo_legal(self, rows: Rows) -> Array:
        from zeroply.games.chess.pseudo import pseudo_legal  # makes its tables when it is first asked

        return pseudo_legal(rows)


CHESS = Chess()
