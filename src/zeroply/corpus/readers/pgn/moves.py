"""Movetext to move numbers: by a parser in Rust where it is installed, else by python-chess.

Both accept the same games with the same moves: whatever the fast parser refuses, python-chess decides, and
that gives the reason too.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

import chess
import chess.pgn
import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.readers.arrays import move_numbers
from zeroply.errors import PositionError, ReadError
from zeroply.games import Game

EARLY_VARIATION = re.compile(r"(?:\{[^}]*\}|[^A-Za-z{(])*\(")
"""A variation before the first move: python-chess takes it for the main line, the fast parser does not."""
STRAY_BRACKET = re.compile(r"[^\[{]*+(?:\{[^}]*+\}?[^\[{]*+)*+\[")
"""A bracket outside comments: the fast parser takes it for the next game's tags and says nothing."""
CLEAN_FEN = re.compile(
    r"(?:[pnbrqkPNBRQK/]|[1-8](?![1-8]))+ [wb] (?:-|(?=\S)K?Q?k?q?) (?:-|[a-h][36])(?: \d{1,4} \d{1,4})?"
)
"""The fast parser takes more than this, the rest of the program does not."""
NOTHING = '[W ""]\n\n'
FILELESS = re.compile(r"([1-8]?)x([a-h][1-8])(?:=?([NBRQ]))?\Z")
"""A pawn's capture without its file, which the fast parser takes where only one is legal."""


class Movetext(NamedTuple):
    """Moves in SAN, from the usual first position or from a FEN."""

    text: str
    start: str | None = None
    commented: bool = False
    """Whether the comments are wanted."""


class Line(NamedTuple):
    """The main line: move numbers, and the last comment after each move where comments are wanted."""

    moves: NDArray[np.uint16]
    comments: Sequence[str | None] = ()


Parse: TypeAlias = Callable[[Sequence[Movetext]], list[Line | str]]
"""Each text as a line, or as the reason why it is none."""


def parser(source: Path, game: Game) -> Parse:
    """The fastest parser that is installed, for the games of a source."""
    if game.name != "chess":
        raise ReadError(f"{source}: its reader knows chess; for {game.name} it is not there yet")
    slow = PythonChessParser(game)
    try:
        import rust_pgn_reader_python_binding as rust
    except ModuleNotFoundError:
        return slow
    return FastParser(game, slow, rust)


class PythonChessParser:
    """One game after another by python-chess."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def __call__(self, texts: Sequence[Movetext]) -> list[Line | str]:
        return [self._parse(text) for text in texts]

    def _parse(self, text: Movetext) -> Line | str:
        header = ""
        if text.start is not None:
            try:
                header = f'[FEN "{self._game.start(text.start).fen()}"]\n\n'
            except PositionError as error:
                return str(error)
        file = io.StringIO(header + text.text + "\n")
        try:
            return chess.pgn.read_game(file, Visitor=lambda: _MainLine(self._game)) or "it has no moves"
        except ValueError as error:  # a number of thousands of digits
            return str(error)


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


class FastParser:
    """Thousands of games in a call of `rust-pgn-reader-python-binding`; python-chess for what it refuses."""

    def __init__(self, game: Game, slow: Parse, rust: ModuleType) -> None:
        self._numbers, self._slow, self._rust = move_numbers(game), slow, rust

    def __call__(self, texts: Sequence[Movetext]) -> list[Line | str]:
        parsed = self._rust.parse_games_from_strings(
            [_as_pgn(text) for text in texts],
            num_threads=1,
            store_comments=any(text.commented for text in texts),
        )
        lines = [line for chunk in parsed.chunks for line in self._lines(chunk)]
        return [
            self._slow([text])[0] if line is None else line for text, line in zip(texts, lines, strict=True)
        ]

    def _lines(self, chunk: Any) -> list[Line | None]:
        packed = chunk.from_squares.astype(np.uint16)
        packed |= chunk.to_squares.astype(np.uint16) << 6
        packed |= np.maximum(chunk.promotions - 1, 0).astype(np.uint16) << 12  # theirs: -1 none, 2 N … 5 Q
        numbers = self._numbers[packed]
        unknown = np.concatenate([[0], np.cumsum(numbers < 0)])
        offsets = chunk.move_offsets.astype(np.int64)
        first, last = offsets[:-1], offsets[1:]
        good = chunk.valid & (last > first) & (unknown[first] == unknown[last])
        moves, comments = numbers.astype(np.uint16), chunk.comments
        return [
            Line(moves[begin:end], comments[begin:end]) if fine else None
            for begin, end, fine in zip(first.tolist(), last.tolist(), good.tolist(), strict=True)
        ]


def _as_pgn(text: Movetext) -> str:
    """What the fast parser gets. A tag always stands there: a text with nothing is left out of its answer."""
    if _is_odd(text):
        return NOTHING
    return f'[FEN "{text.start}"]\n\n{text.text}\n' if text.start is not None else NOTHING + text.text


def _is_odd(text: Movetext) -> bool:
    """Texts that the two parsers would read differently."""
    return bool(
        ("(" in text.text and EARLY_VARIATION.match(text.text))
        or ("[" in text.text and (";" in text.text or STRAY_BRACKET.match(text.text)))
        or "0000" in text.text  # a null move, which the fast parser takes for a move number
        or (text.start is not None and not CLEAN_FEN.fullmatch(text.start))
    )
