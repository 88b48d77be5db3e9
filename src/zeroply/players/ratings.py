"""Whom a net can be asked to play like: what it cannot do is refused, not bent to what it can."""

from __future__ import annotations

from zeroply.corpus.score import Kind
from zeroply.corpus.told import UNRATED
from zeroply.errors import ZeroplyError
from zeroply.players.base import Network
from zeroply.players.net import rated, strongest_seen

LOWEST, HIGHEST = 2300, 2850
"""Of nearly all players in our corpora, for nets that do not say whom they learnt from: beyond, a net would
play like the last that it knows."""


def known_ratings(network: Network) -> tuple[int, int] | None:
    """The lowest and the highest that it can be asked for; None where the net looks at no ratings."""
    if not rated(network):
        return None
    lowest, highest = network.about.get("training", {}).get("people") or (LOWEST, HIGHEST)
    return lowest, highest


def asked(network: Network, rating: int | None, wanted: str) -> int | None:
    """The rating that someone asks for by the words `wanted`, if this net can play like that. None, as well
    as it can, and 0, like a person of no known rating, are always possible."""
    if rating is None or rating == UNRATED:
        return rating
    known = known_ratings(network)
    if known is None:
        raise ZeroplyError(f"{wanted} will not do: this model has not learnt from ratings. Leave it out")
    lowest, highest = known
    if not lowest <= rating <= highest:
        raise ZeroplyError(f"{wanted} will not do: the model knows players from {lowest} to {highest}")
    return rating


def asked_best(network: Network, best: Kind, rating: int | None, wanted: str) -> None:
    """Refuses moves of that kind, which someone asks for by the words `wanted`, where the net has seen none
    or is to play like a person."""
    if rating is not None:
        raise ZeroplyError(
            f"{wanted} will not do beside a rating, which is a person's. Leave out one of them"
        )
    if best.name not in strongest_seen(network):
        raise ZeroplyError(f"{wanted} will not do: this model is not told of such moves. Leave it out")
