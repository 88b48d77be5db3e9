"""Xiangqi, Chinese chess. The rules are our own: no library is fast enough, and none is needed to play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zeroply.errors import IllegalMoveError, PositionError, needs, quoted
from zeroply.games.base import Array, Column, Frame, MoveTable, Rows
from zeroply.games.xiangqi.table import FLIP, MIRROR, build_table

if TYPE_CHECKING:
    from zeroply.games.xiangqi.bulk import XiangqiSteps
    from zeroply.games.xiangqi.position import XiangqiPosition

LETTERS = "PABNCRK"
"""Soldier 1, advisor 2, elephant 3, horse 4, cannon 5, chariot 6, general 7; Black's codes are negative."""
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


@dataclass(frozen=True)
class Xiangqi:
    """The numbers of xiangqi and the ways into its rules. Squares: a0 is 0, b0 is 1, i9 is 89; Red, the first
    player, begins on ranks 0 to 4."""

    name: str = "xiangqi"
    files: int = 9
    ranks: int = 10
    kinds: int = len(LETTERS)
    attackers: tuple[int, ...] = tuple(LETTERS.index(letter) + 1 for letter in "NCR")
    titles: frozenset[str] = frozenset({"xiangqi", "chinese chess", "cchess", "象棋", "中国象棋", "中國象棋"})
    sides: tuple[str, str] = ("Red", "Black")

    @cached_property
    def moves(self) -> MoveTable:
        return build_table()

    @property
    def mirror(self) -> NDArray[np.int64]:
        return MIRROR

    @property
    def flip(self) -> NDArray[np.int64]:
        return FLIP

    @cached_property
    def columns(self) -> Mapping[str, Column]:
        byte, short = np.dtype(np.int8), np.dtype(np.int16)
        return {
            "board": Column(dtype=byte, shape=(90,), frame=Frame.PIECES),
            "turn": Column(dtype=byte),
            "halfmove": Column(dtype=short, scale=60.0),
            "repeats": Column(dtype=byte, scale=2.0),
            "ply": Column(dtype=short, scale=100.0),
        }

    @property
    def record_tags(self) -> Mapping[str, str]:
        return {"Game": "Chinese Chess", "Format": "ICCS"}

    def start(self, fen: str | None = None) -> XiangqiPosition:
        from zeroply.games.xiangqi.position import XiangqiPosition  # which needs this module's game

        return XiangqiPosition.from_fen(START if fen is None else fen)

    def restore(self, row: Rows) -> XiangqiPosition:
        return self.start(self.fens({name: row[name][:1] for name in self.columns})[0])

    def fens(self, rows: Rows) -> list[str]:
        from zeroply.games.xiangqi.fens import fens  # which needs this module's letters

        return fens(rows)

    def recorded(self, rows: Rows, moves: NDArray[np.integer[Any]]) -> list[str]:
        from zeroply.games.xiangqi.notation import to_iccs

        texts = [to_iccs(name) for name in self.moves.names]
        return [texts[move] for move in moves.tolist()]

    def rows(self, fens: Sequence[str]) -> dict[str, NDArray[Any]]:
        return self._stacked([self.start(fen) for fen in fens])

    def examined(self, fens: Sequence[str]) -> tuple[dict[str, NDArray[Any]], dict[int, str]]:
        sound: list[XiangqiPosition] = []
        flaws: dict[int, str] = {}
        for at, fen in enumerate(fens):
            try:
                sound.append(self.start(fen))
            except PositionError as error:
                flaws[at] = str(error)
        return self._stacked(sound), flaws

    def _stacked(self, positions: Sequence[XiangqiPosition]) -> dict[str, NDArray[Any]]:
        """The rows of positions, also of none."""
        rows = [position.row(0) for position in positions]
        return {
            name: np.concatenate([column[:0], *(row[name] for row in rows)])
            for name, column in self.first_state().items()
        }

    @cached_property
    def _by_uci(self) -> Mapping[str, int]:
        return {self.uci(move): move for move in range(len(self.moves))}

    def uci(self, move: int) -> str:
        from zeroply.games.xiangqi.notation import to_uci

        return to_uci(self.moves.names[move])

    def from_uci(self, text: str) -> int:
        try:
            return self._by_uci[text]
        except KeyError:
            raise IllegalMoveError(
                f"{quoted(text)} is not a move. Write the square left and the square reached, a1 to i10: h3e3"
            ) from None

    def first_state(self) -> dict[str, NDArray[Any]]:
        row = self.start().row(0)
        return {name: row[name] for name in self.columns}

    def steps(self, state: dict[str, Array]) -> XiangqiSteps:
        from zeroply.games.xiangqi.bulk import XiangqiSteps  # makes its tables when it is first asked

        return XiangqiSteps(self.moves, state)

    def legal(self, rows: Rows) -> NDArray[np.bool_]:
        with needs("data", "legality of many positions at once"):
            from zeroply.games.xiangqi.legality import legal  # the only part that needs numba

        return legal(rows)

    def allows(self, rows: Rows, moves: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
        with needs("data", "legality of many positions at once"):
            from zeroply.games.xiangqi.legality import allows

        return allows(rows, moves)

    def pseudo_legal(self, rows: Rows) -> Array:
        from zeroply.games.xiangqi.pseudo import pseudo_legal  # makes its tables when it is first asked

        return pseudo_legal(rows)


XIANGQI = Xiangqi()
