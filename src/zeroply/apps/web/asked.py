"""Whom a request asks: a model by its name, playing like someone of a rating where the model knows any."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence

from zeroply.errors import ZeroplyError
from zeroply.players import NetPlayer, player_of
from zeroply.players.base import Network
from zeroply.players.ratings import asked
from zeroply.players.rules import Help


def asked_player(
    networks: Mapping[str, Network],
    model: str | None,
    rating: int | None,
    *,
    temperature: float | None = None,
    helps: Sequence[Help] = (),
) -> NetPlayer:
    """The first model where none is asked for."""
    name = next(iter(networks), "") if model is None else model
    if name not in networks:
        raise ZeroplyError(f"there is no model '{name}' here. Known: {', '.join(networks) or 'none'}")
    return player_of(
        networks[name],
        name=name,
        rating=asked(networks[name], rating, f"rating {rating}"),
        temperature=temperature,
        seed=secrets.randbits(32),  # a fixed one would repeat the same game
        helps=helps,
    )
