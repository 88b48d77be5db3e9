"""PGN by python-chess: main lines with their tags."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn

from zeroply.corpus.readers.files import open_text
from zeroply.corpus.readers.skipped import Skipped
from zeroply.corpus.score import Score
from zeroply.errors import PositionError, ReadError
from zeroply.games import Game

RESULTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
OWN_COLUMNS = ("Result", "WhiteElo", "BlackElo", "FEN", "SetUp")
"""Tags that have arrays of their own."""


class _MainLine(chess.pgn.BaseVisitor[Score | str]):
    """A game as a Score, or as the reason why it is none."""

    def __init__(self, game: Game) -> None:
        self._game, self._numbers = game, game.moves.numbers
        self._moves: list[int] = []
        self._tags: dict[str, str] = {}
        self._flaw: str | None = None

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self._tags[tagname] = tagvalue

    def begin_variation(self) -> chess.pgn.SkipType:
        return chess.pgn.SKIP

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        number = self._numbers.get(move.uci())
        if number is None:
            self._flaw = self._flaw or f"ply {board.ply() + 1}: {move.uci()} is not in the move table"
        else:
            self._moves.append(number)

    def handle_error(self, error: Exception) -> None:
        self._flaw = self._flaw or f"ply {len(self._moves) + 1}: {error}"

    def result(self) -> Score | str:
        if self._flaw is not None:
            return self._flaw
        if self._tags.get("Variant", "Standard").lower() not in ("standard", "chess", "from position"):
            return f"it is a game of {self._tags['Variant']}"
        if not self._moves:
            return "it has no moves"
        fen = self._tags.get("FEN")
        try:
            self._game.start(fen)
        except PositionError as error:
            return str(error)
        return Score(
            moves=self._moves,
            start=None if fen in (None, chess.STARTING_FEN) else fen,
            result=RESULTS.get(self._tags.get("Result", "*")),
            ratings=(_number(self._tags.get("WhiteElo"), 4000), _number(self._tags.get("BlackElo"), 4000)),
            year=_number(self._tags.get("Date", "").split(".")[0], 3000),
            tags={name: value for name, value in self._tags.items() if name not in OWN_COLUMNS},
        )


def _number(text: str | None, most: int) -> int:
    """A number of a tag, 0 where there is none or nonsense."""
    return int(text) if text and text.isascii() and text.isdecimal() and int(text) <= most else 0


def read(source: Path, game: Game) -> Iterator[Score | Skipped]:
    if game.name != "chess":
        raise ReadError(f"{source}: the PGN reader knows chess; for {game.name} it is not there yet")
    with open_text(source) as file:
        number = 0
        while True:
            number += 1
            found = chess.pgn.read_game(file, Visitor=lambda: _MainLine(game))
            if found is None:
                return
            yield Skipped(source.name, number, found) if isinstance(found, str) else found
