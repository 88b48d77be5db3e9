"""A position as people and programs have it: startpos or a FEN and moves; or a board of python-chess."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from zeroply.errors import PositionError
from zeroply.games import Game, Position
from zeroply.games.line import follow

if TYPE_CHECKING:
    import chess

START, MOVES = "startpos", "moves"
SQUARES = re.compile(r"[a-i]\d+-?[a-i]\d+[nbrq]?", re.IGNORECASE)
"""A move by its squares, which no part of a FEN looks like."""


def read_position(game: Game, text: str) -> Position:
    """`startpos` or a FEN, then moves if there are any, with or without the word `moves` before them; behind
    a FEN without it, the first has to be written by its squares."""
    words = text.split()
    if not words:
        raise PositionError(f"an empty text is no position. Give {START} or a FEN, and moves: {START} …")
    if words[0] == START:
        fen, moves = None, words[1:]
    else:
        at = next(
            (at for at, word in enumerate(words) if word == MOVES or SQUARES.fullmatch(word)), len(words)
        )
        fen, moves = " ".join(words[:at]), words[at:]
    return follow(game.start(fen), moves[1:] if moves[:1] == [MOVES] else moves)


def position_of_board(game: Game, board: chess.Board, advice: str) -> Position:
    """The same position with our rules and all its past; `advice` is for boards of other games."""
    variant = "chess960" if board.chess960 else board.uci_variant
    if variant != game.name:
        raise PositionError(f"there is no {variant} here. {advice}")
    return follow(game.start(board.root().fen()), [move.uci() for move in board.move_stack])
