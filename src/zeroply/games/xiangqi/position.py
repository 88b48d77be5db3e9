"""One xiangqi position with exact rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from zeroply.errors import IllegalMoveError, quoted
from zeroply.games.base import MOST_REPEATS
from zeroply.games.once import once
from zeroply.games.xiangqi import XIANGQI
from zeroply.games.xiangqi.fens import BY_CODE, read_fen, write_fen
from zeroply.games.xiangqi.notation import from_iccs, from_text, to_iccs, wxf
from zeroply.games.xiangqi.pieces import ADVISOR, ELEPHANT, GENERAL
from zeroply.games.xiangqi.repetition import Verdict, judge
from zeroply.games.xiangqi.rules import Board, Step, in_check, legal_moves

MOST_QUIET_PLIES = 120
"""Sixty moves of each side without a capture are a draw, as by the Chinese rules, which count only ten
of a side's checks. Fairy-Stockfish has fifty moves by UCI, sixty by UCCI."""

_STEPS: list[Step] = list(zip(XIANGQI.moves.start.tolist(), XIANGQI.moves.end.tolist(), strict=True))
_NUMBERS = {step: number for number, step in enumerate(_STEPS)}
_HARMLESS = {0, ADVISOR, ELEPHANT, GENERAL}
"""Pieces that never cross the river."""


class XiangqiPosition:
    """Immutable. A third occurrence and sixty moves without a capture end the game, as if claimed; moves stay
    legal after them, because people do not always claim."""

    forbids_repetition = True

    def __init__(
        self,
        board: Board,
        turn: int,
        halfmove: int,
        ply: int,
        start: str | None = None,
        moves: tuple[int, ...] = (),
        before: Self | None = None,
    ) -> None:
        self._board = board
        """Never changed."""
        self._turn, self._halfmove, self._ply = turn, halfmove, ply
        self._start = self.fen() if start is None else start
        self._moves = moves
        self._before = before
        """The position before the last move; None after a capture, for what was before cannot recur."""

    @classmethod
    def from_fen(cls, fen: str) -> Self:
        return cls(*read_fen(fen))

    @property
    def ply(self) -> int:
        return self._ply

    @property
    def turn(self) -> int:
        return self._turn

    @once
    def repeats(self) -> int:
        # Players ask after every reply to a move: in haste, stepping over what the other side was to move in.
        count, between = 0, self._before
        while between is not None and (earlier := between._before) is not None:
            count += self._board == earlier._board
            between = earlier._before
        return count

    def _earlier(self) -> Iterator[Self]:
        """The positions before this one that could be the same, latest first."""
        earlier = self._before
        while earlier is not None:
            yield earlier
            earlier = earlier._before

    def _same_as(self, other: Self) -> bool:
        return self._turn == other._turn and self._board == other._board

    @once
    def _legal(self) -> NDArray[np.int64]:
        steps = legal_moves(list(self._board), self._turn)
        return np.array(sorted([_NUMBERS[step] for step in steps]), np.int64)

    def legal(self) -> NDArray[np.int64]:
        return self._legal

    def play(self, move: int) -> Self:
        if move not in self._legal:
            names = XIANGQI.moves.names
            name = names[move] if 0 <= move < len(names) else f"move number {move}"
            raise IllegalMoveError(f"{name} is not legal in {self.fen()}")
        start, end = _STEPS[move]
        quiet = self._board[end] == 0
        board = list(self._board)
        board[start], board[end] = 0, board[start]
        return type(self)(
            board,
            1 - self._turn,
            self._halfmove + 1 if quiet else 0,
            self._ply + 1,
            self._start,
            (*self._moves, int(move)),
            self if quiet else None,
        )

    @once
    def _end(self) -> Verdict | None:
        """How the game ended; None while it goes on."""
        if not len(self._legal):
            return Verdict(float(self._turn), "checkmate" if self.in_check() else "stalemate, which loses")
        if self.repeats >= 2:
            return self._judged()
        if self._halfmove >= MOST_QUIET_PLIES:
            return Verdict(0.5, "sixty moves without a capture")
        if {abs(code) for code in self._board} <= _HARMLESS:
            return Verdict(0.5, "neither side can mate")
        return None

    def _judged(self) -> Verdict:
        """The verdict on the moves between the last three occurrences."""
        line, met = [self], 1
        for earlier in self._earlier():
            line.append(earlier)
            met += self._same_as(earlier)
            if met == 3:
                break
        line.reverse()
        steps = [_STEPS[move] for move in self._moves[-(len(line) - 1) :]]
        return judge([position._board for position in line], steps, self._turn)

    def result(self) -> float | None:
        return None if self._end is None else self._end.points

    def reason(self) -> str | None:
        return None if self._end is None else self._end.reason

    def row(self, history: int) -> dict[str, NDArray[Any]]:
        values = {
            "board": self._board,
            "turn": self._turn,
            "halfmove": self._halfmove,
            "repeats": min(self.repeats, MOST_REPEATS),
            "ply": self._ply,
        }
        row = {name: np.array([values[name]], column.dtype) for name, column in XIANGQI.columns.items()}
        padded = [-1] * history + list(self._moves)
        row["past"] = np.array([padded[len(self._moves) :]], np.int16)
        return row

    def diagram(self) -> str:
        letters = [BY_CODE[code].replace("1", ".") for code in self._board]
        return "\n".join(" ".join(letters[at : at + 9]) for at in range(81, -1, -9))

    def fen(self) -> str:
        return write_fen(self._board, self._turn, self._halfmove, self._ply)

    def notation(self, move: int) -> str:
        return wxf(self._board, _STEPS[move])

    def number(self, text: str) -> int:
        """UCCI, ICCS, WXF or Chinese."""
        name = from_iccs(text)
        if name is None:
            return _NUMBERS[from_text(self._board, [_STEPS[move] for move in self._legal], text)]
        number = XIANGQI.moves.numbers.get(name)
        if number is None or number not in self._legal:
            advice = f". Squares are {' to '.join(XIANGQI.moves.corners)}" if self._by_uci(name) else ""
            raise IllegalMoveError(f"{quoted(text)} is not legal in {self.fen()}{advice}")
        return number

    def _by_uci(self, name: str) -> bool:
        """Whether a move that is not legal was probably counted from rank 1."""
        counted = XIANGQI.moves.numbers.get(re.sub(r"\d+", lambda rank: str(int(rank[0]) - 1), name))
        return counted in self._legal or re.search(r"\d\d", name) is not None

    def recorded(self, move: int) -> str:
        return to_iccs(XIANGQI.moves.names[move])

    def in_check(self) -> bool:
        return in_check(self._board, self._turn)

    def record(self) -> tuple[str, list[int]]:
        return self._start, list(self._moves)
