"""A position of another game than the one asked for, by its board's size."""

from __future__ import annotations

from zeroply.games import all_games


def other_game(fen: str, asked: str) -> str | None:
    """The next step where a FEN has as many ranks as another game's board; None where it has not."""
    board = fen.split()[0] if fen.split() else ""
    ranks = board.count("/") + 1
    for game in all_games():
        if game.name != asked and game.ranks == ranks:
            return f"{ranks} ranks are a board of {game.name}: choose that game (--game {game.name})"
    return None
