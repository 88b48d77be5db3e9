"""A position as people and programs write it: startpos or a FEN, and moves since."""

from __future__ import annotations

import re

from zeroply.errors import PositionError
from zeroply.games import Game, Position
from zeroply.games.line import follow

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
