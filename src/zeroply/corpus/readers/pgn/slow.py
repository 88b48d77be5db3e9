"""Movetext by python-chess: the fallback, and the judge of what the fast parser refuses."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

import chess
import chess.pgn
import numpy as np

from zeroply.corpus.readers.pgn.letters import in_other_letters
from zeroply.corpus.readers.pgn.lines import Line, Lines, Movetext, collected
from zeroply.errors import PositionError
from zeroply.games import Game

FILELESS = re.compile(r"([1-8]?)x([a-h][1-8])(?:=?([NBRQ]))?\Z")
"""A pawn's capture without its file, which the fast parser takes where only one is legal."""


class PythonChessParser:
    """One game after another by python-chess."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def __call__(self, texts: Sequence[Movetext]) -> Lines:
        return collected([self._parse(text) for text in texts])

    def _parse(self, text: Movetext) -> Line | str:
        if move := in_other_letters(text.text):
            return f"'{move}' is no move: pieces are K, Q, R, B and N in PGN"
        header = ""
        if text.start is not None:
            try:
                header = f'[FEN "{self._game.start(text.start).fen()}"]\n\n'
            except PositionError as error:
                return str(error)
        file = io.StringIO(header + text.text + "\n")
        try:
            return chess.pgn.read_game(file, Visitor=lambda: _MainLine(self._game)) or "it has no moves"
        except ValueError:
            return "a number in it has thousands of digits"


class _MainLine(chess.pgn.BaseVisitor[Line | str]):
    """A game's main line, or the reason why it has none."""

    def __init__(self, game: Game) -> None:
        self._numbers = game.moves.numbers
        self._moves: list[int] = []
        self._comments: list[str | None] = []
        self._flaw: str | None = None
        self._over = False

    def visit_result(self, result: str) -> None:
        self._over = True  # what comes after it does not count

    def begin_parse_san(self, board: chess.Board, san: str) -> chess.pgn.SkipType | None:
        return chess.pgn.SKIP if self._over else None

    def begin_variation(self) -> chess.pgn.SkipType:
        return chess.pgn.SKIP

    def parse_san(self, board: chess.Board, san: str) -> chess.Move:
        fileless = FILELESS.match(san)
        if fileless:
            rank, end, promotion = fileless.groups()
            found = [
                move
                for move in board.generate_legal_captures(from_mask=board.pawns)
                if chess.square_name(move.to_square) == end
                and chess.square_name(move.from_square).endswith(rank)
                and chess.piece_symbol(move.promotion or chess.PAWN) == (promotion or "P").lower()
            ]
            if len(found) == 1:
                return found[0]
        return super().parse_san(board, san)

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        number = self._numbers.get(move.uci())
        if number is None:
            self._flaw = self._flaw or f"ply {len(self._moves) + 1}: {move.uci()} is not in the move table"
        else:
            self._moves.append(number)
            self._comments.append(None)

    def visit_comment(self, comment: str) -> None:
        if self._comments and not self._over:
            self._comments[-1] = comment

    def handle_error(self, error: Exception) -> None:
        self._flaw = self._flaw or f"ply {len(self._moves) + 1}: {error}"

    def result(self) -> Line | str:
        if self._flaw is not None:
            return self._flaw
        return Line(np.array(self._moves, np.uint16), self._comments) if self._moves else "it has no moves"
