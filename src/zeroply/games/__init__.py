"""The games: rules, move tables and bulk moves. No files, no nets."""

from zeroply.errors import ZeroplyError
from zeroply.games.base import Column, Frame, Game, MoveTable, Position, Rows, stack

__all__ = ["Column", "Frame", "Game", "MoveTable", "Position", "Rows", "all_games", "game_named", "stack"]


def all_games() -> tuple[Game, ...]:
    from zeroply.games.chess import CHESS  # here, because a game imports this package's base
    from zeroply.games.xiangqi import XIANGQI

    return CHESS, XIANGQI


def game_named(name: str) -> Game:
    """The game that a corpus, checkpoint or command line names."""
    games = {game.name: game for game in all_games()}
    if name not in games:
        raise ZeroplyError(f"unknown game '{name}'. Known: {', '.join(games)}")
    return games[name]
