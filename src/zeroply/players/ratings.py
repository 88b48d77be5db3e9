"""Which ratings a net can be asked to play like: those that people ask for are refused, not bent."""

from __future__ import annotations

from zeroply.errors import ZeroplyError
from zeroply.players.base import Network
from zeroply.players.net import rated

LOWEST, HIGHEST = 2300, 2850
"""Of the players in our corpora, nearly all: beyond them a net would play like the last that it knows."""


def asked(network: Network, elo: int | None) -> int | None:
    """What `--elo` asks for, if this net can play like that; None, as well as it can, is always possible."""
    if elo is None:
        return None
    if not rated(network):
        raise ZeroplyError(f"--elo {elo} will not do: this model has not learnt from ratings. Leave it out")
    if not LOWEST <= elo <= HIGHEST:
        raise ZeroplyError(f"--elo {elo} will not do: the model knows players from {LOWEST} to {HIGHEST}")
    return elo
