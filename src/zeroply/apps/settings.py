"""What can be set in a model that plays as an engine, and the player that comes of it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Collection, Mapping

import numpy as np

from zeroply.corpus.told import UNRATED
from zeroply.errors import ZeroplyError
from zeroply.players import Glance, NetPlayer, player_of
from zeroply.players.afterstate import AfterstatePlayer
from zeroply.players.base import Network
from zeroply.players.expectation import tells
from zeroply.players.options import Option, Value
from zeroply.players.pace import Clock, seconds_to_think
from zeroply.players.ratings import known_ratings
from zeroply.players.rules import Help, mate_in_one, nothing_given_away

VARIANT, SUCCESSORS, HUMAN_TIME = "UCI_Variant", "LookAtSuccessors", "HumanTime"
MOST_SEED = 2**31 - 1
USUAL = -1
"""In place of a temperature: the usual one of the rating."""
BEST, HUMAN = "best", "human"
"""Two ways to ask one net: as well as it can, or like a person."""
RULES: Mapping[str, Help] = {"MateRule": mate_in_one, "RepetitionRule": nothing_given_away}
"""Helps of the rules by the names of their options."""


def options(model: str) -> dict[str, Option]:
    """Those of every model."""
    return {
        "Model": Option(kind="string", default=model),
        "Mode": Option(kind="combo", default=BEST, choices=(BEST, HUMAN)),
        "Temperature": Option(kind="spin", default=USUAL, low=USUAL, high=1000),
        "TopP": Option(kind="spin", default=100, low=1, high=100),
        "Seed": Option(kind="spin", default=0, low=0, high=MOST_SEED),
        "MultiPV": Option(kind="spin", default=1, low=1, high=256),
        "UCI_ShowWDL": Option(kind="check", default=False),
        **{name: Option(kind="check", default=True) for name in RULES},
        "Threads": Option(kind="spin", default=1, low=1, high=1024),
        HUMAN_TIME: Option(kind="check", default=False),
        "MoveOverhead": Option(kind="spin", default=100, low=0, high=5000),
    }


def options_of(network: Network, others: Collection[str]) -> dict[str, Option]:
    """Those that only a loaded net can tell: its game or one of `others`, for which another net is taken,
    whom to play like, if it has seen ratings, and a look at what moves lead to, if it can judge that."""
    name = network.game.name
    found = {VARIANT: Option(kind="combo", default=name, choices=tuple(sorted({name, *others})))}
    if known := known_ratings(network):
        lowest, highest = known
        found["UCI_LimitStrength"] = Option(kind="check", default=False)
        middle = max(lowest, (lowest + highest) // 200 * 100)
        found["UCI_Elo"] = Option(kind="spin", default=middle, low=lowest, high=highest)
    if tells(network.outputs):
        found[SUCCESSORS] = Option(kind="check", default=False)
    return found


def named(known: Mapping[str, Option], wanted: str) -> str | None:
    """The option of that name, whatever the case of its letters."""
    return next((name for name in known if name.lower() == wanted.lower()), None)


def read(known: Mapping[str, Option], wanted: str, text: str) -> tuple[str, Value]:
    """The option's own name and the value that the text means."""
    name = named(known, wanted)
    if name is None:
        raise ZeroplyError(f"there is no option '{wanted}'. Known: {', '.join(known)}")
    try:
        return name, known[name].read(text)
    except ZeroplyError as error:
        raise ZeroplyError(f"option {name}: {error}") from None


def player(network: Network, values: Mapping[str, Value], ply: int) -> NetPlayer:
    """The player with these values of the options, from that ply on. A seed draws otherwise at each ply: some
    programs say that a new game begins before every move."""
    like_a_person = values["Mode"] == HUMAN or values.get("UCI_LimitStrength")
    return player_of(
        network,
        look=AfterstatePlayer.look if values.get(SUCCESSORS) else None,
        rating=int(values.get("UCI_Elo", UNRATED)) if like_a_person else None,
        temperature=None if values["Temperature"] == USUAL else int(values["Temperature"]) / 100,
        top_p=int(values["TopP"]) / 100,
        seed=int(values["Seed"]) + ply * (MOST_SEED + 1) if values["Seed"] else secrets.randbits(32),
        helps=[help_ for name, help_ in RULES.items() if values[name]],
    )


def threads(values: Mapping[str, Value]) -> int:
    """As many as were asked for, or as the machine has."""
    return min(int(values["Threads"]), os.cpu_count() or 1)


def pause(
    values: Mapping[str, Value], clock: Clock, glance: Glance, random: np.random.Generator
) -> float | None:
    """Seconds to wait before an answer; None where it comes at once."""
    if not values[HUMAN_TIME]:
        return None
    return seconds_to_think(clock, glance, int(values["MoveOverhead"]), random) or None
