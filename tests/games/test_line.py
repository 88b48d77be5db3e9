"""Moves written one after the other."""

from __future__ import annotations

import pytest

from zeroply.errors import IllegalMoveError
from zeroply.games import game_named
from zeroply.games.line import follow

CHESS, XIANGQI = game_named("chess"), game_named("xiangqi")


def test_moves_lead_where_they_lead() -> None:
    position = follow(CHESS.start(), ["e2e4", "e7e5"], CHESS.moves.number)
    assert position.fen() == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    assert follow(CHESS.start(), [], CHESS.moves.number).ply == 0


def test_the_wrong_move_is_named_with_its_ply_as_it_was_written() -> None:
    for text, wanted in (
        ("e1e3", "ply 3: 'e1e3' is not legal in .* 0 2"),
        ("Nf3", "ply 3: 'Nf3' is not a move"),
    ):
        with pytest.raises(IllegalMoveError, match=wanted):
            follow(CHESS.start(), ["e2e4", "e7e5", text], CHESS.moves.number)
    with pytest.raises(IllegalMoveError, match=r"ply 8: 'h4h9' is not legal in .*; so$"):
        follow(XIANGQI.start(), ["h3e3", "h4h9"], XIANGQI.from_uci, before=6, hint="; so")


def test_corners_tell_how_squares_are_counted() -> None:
    assert CHESS.moves.corners == ("a1", "h8")
    assert XIANGQI.moves.corners == ("a0", "i9")
