"""The games: rules, move tables and bulk moves. No files, no nets."""

from zeroply.errors import ZeroplyError
from zeroply.games.base import Column, Frame, Game, MoveTable, Position, Rows, stack

__all__ = ["Column", "Frame", "Game", "MoveTable", "Position", "Rows", "game_named", "stack"]


def game_named(name: str) -> Game:
    """The game that a corpus, checkpoint or command line names."""
    from zeroply.games.chess import CHESS  # here, because a game imports this package's base
    from zeroply.games.xiangqi import XIANGQI

    known: tuple[Game, ...] = (CHESS, XIANGQI)
    games = {game.name: game for game in known}
    if name not in games:
        raise ZeroplyError(f"unknown game '{name}'. Known: {', '.join(games)}")
    return games[name]
