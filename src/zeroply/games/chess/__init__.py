"""Chess. Nothing here needs python-chess until a single position is asked for: training runs without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zeroply.errors import PositionError, needs, quoted
from zeroply.games.base import Array, Column, Frame, MoveTable, Rows
from zeroply.games.chess.table import MIRROR, build_table

if TYPE_CHECKING:
    from zeroply.games.chess.bulk import ChessSteps
    from zeroply.games.chess.position import ChessPosition

LETTERS = "PNBRQK"
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
"""Piece codes; Black's are negative."""


@dataclass(frozen=True)
class Chess:
    """The numbers of chess and the ways into its rules. Squares: a1 is 0, b1 is 1, h8 is 63."""

    name: str = "chess"
    files: int = 8
    ranks: int = 8
    kinds: int = len(LETTERS)
    attackers: tuple[int, ...] = (KNIGHT, BISHOP, ROOK, QUEEN)
    titles: frozenset[str] = frozenset({"chess", "standard", "from position"})
    sides: tuple[str, str] = ("White", "Black")

    @cached_property
    def moves(self) -> MoveTable:
        return build_table()

    @property
    def mirror(self) -> NDArray[np.int64]:
        return MIRROR

    @property
    def flip(self) -> None:
        """Castling tells left from right."""
        return None

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

    @property
    def record_tags(self) -> Mapping[str, str]:
        return {}

    def start(self, fen: str | None = None) -> ChessPosition:
        from zeroply.games.chess.position import ChessPosition  # the only part that needs python-chess

        return ChessPosition.from_fen(fen)

    def restore(self, row: Rows) -> ChessPosition:
        return self.start(self.fens({name: row[name][:1] for name in self.columns})[0])

    def fens(self, rows: Rows) -> list[str]:
        from zeroply.games.chess.fens import fens  # which needs this module's game

        return fens(rows)

    def recorded(self, rows: Rows, moves: NDArray[np.integer[Any]]) -> list[str]:
        from zeroply.games.chess.san import sans  # which needs this module's game

        return sans(rows, moves)

    def rows(self, fens: Sequence[str]) -> dict[str, NDArray[Any]]:
        from zeroply.games.chess.fens import rows  # which needs this module's game

        return rows(fens)

    def examined(self, fens: Sequence[str]) -> tuple[dict[str, NDArray[Any]], dict[int, str]]:
        from zeroply.games.chess.fens import examined  # which needs this module's game

        return examined(fens)

    def uci(self, move: int) -> str:
        return self.moves.names[move]

    def from_uci(self, text: str) -> int:
        return self.moves.number(text)

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
                    flaw = f"what is '{letter}' in {quoted(text)}?"
                    raise PositionError(f"{quoted(fen)} is not a chess position: {flaw}")
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
        from zeroply.games.chess.bulk import ChessSteps  # makes its tables when it is first asked

        return ChessSteps(self.moves, state)

    def legal(self, rows: Rows) -> NDArray[np.bool_]:
        with needs("data", "legality of many positions at once"):
            from zeroply.games.chess.legality import legal  # the only part that needs numba

        return legal(rows)

    def allows(self, rows: Rows, moves: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
        with needs("data", "legality of many positions at once"):
            from zeroply.games.chess.legality import allows

        return allows(rows, moves)

    def pseudo_legal(self, rows: Rows) -> Array:
        from zeroply.games.chess.pseudo import pseudo_legal  # makes its tables when it is first asked

        return pseudo_legal(rows)


CHESS = Chess()
