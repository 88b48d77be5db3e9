"""Players: from a position to a move, without torch."""

from zeroply.players.base import Glance, Player
from zeroply.players.policy import PolicyPlayer

__all__ = ["Glance", "Player", "PolicyPlayer"]
