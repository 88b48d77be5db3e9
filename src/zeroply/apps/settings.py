"""What can be set in a model that plays as an engine, and the player that comes of it."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping

from zeroply.players import NetPlayer, player_of
from zeroply.players.base import Network
from zeroply.players.net import rated
from zeroply.players.options import Option, Value
from zeroply.players.rules import Help, mate_in_one, nothing_given_away

VARIANT = "UCI_Variant"
RULES: Mapping[str, Help] = {"MateRule": mate_in_one, "RepetitionRule": nothing_given_away}
"""Helps of the rules by the names of their options."""


def options(model: str) -> dict[str, Option]:
    """Those of every model."""
    return {
        "Model": Option(kind="string", default=model),
        "Temperature": Option(kind="spin", default=0, low=0, high=1000),
        "Seed": Option(kind="spin", default=0, low=0, high=2**31 - 1),
        "MultiPV": Option(kind="spin", default=1, low=1, high=256),
        "UCI_ShowWDL": Option(kind="check", default=False),
        **{name: Option(kind="check", default=True) for name in RULES},
    }


def options_of(network: Network, others: Collection[str]) -> dict[str, Option]:
    """Those that only a loaded net can tell: its game or one of `others`, for which another net is taken, and
    whom to play like, if it has seen ratings."""
    name = network.game.name
    found = {VARIANT: Option(kind="combo", default=name, choices=tuple(sorted({name, *others})))}
    if rated(network):
        found["UCI_LimitStrength"] = Option(kind="check", default=False)
        found["UCI_Elo"] = Option(kind="spin", default=2500, low=2300, high=2850)
    return found


def player(network: Network, values: Mapping[str, Value]) -> NetPlayer:
    """The player with these values of the options."""
    return player_of(
        network,
        rating=int(values["UCI_Elo"]) if values.get("UCI_LimitStrength") else None,
        temperature=int(values["Temperature"]) / 100,
        seed=int(values["Seed"]) or secrets.randbits(32),
        helps=[help_ for name, help_ in RULES.items() if values[name]],
    )
