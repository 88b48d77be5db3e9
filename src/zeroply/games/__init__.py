"""The games: rules, move tables and bulk moves. No files, no nets."""

from zeroply.errors import ZeroplyError
from zeroply.games.base import Column, Frame, Game, MoveTable, Position, Rows, stack

__all__ = ["Column", "Frame", "Game", "MoveTable", "Position", "Rows", "game_named", "stack"]


GAMES = ("chess", "xiangqi")


def game_named(name: str) -> Game:
    """The game that a corpus, checkpoint or command line names."""
    # Imported here, because a game imports this package's base; and only the one that is asked for.
    if name == "chess":
        from zeroply.games.chess import CHESS

        return CHESS
    if name == "xiangqi":
        from zeroply.games.xiangqi import XIANGQI

        return XIANGQI
    raise ZeroplyError(f"unknown game '{name}'. Known: {', '.join(GAMES)}")
