"""Players: from a position to a move, without torch."""

from zeroply.players.base import Glance, Player
from zeroply.players.chosen import player_of
from zeroply.players.net import NetPlayer

__all__ = ["Glance", "NetPlayer", "Player", "player_of"]
