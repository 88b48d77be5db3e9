"""Which player plays a net: its outputs tell."""

from __future__ import annotations

from collections.abc import Sequence

from zeroply.corpus.score import Kind
from zeroply.errors import ZeroplyError
from zeroply.players.afterstate import AfterstatePlayer
from zeroply.players.base import Network
from zeroply.players.expectation import TELLING, tells
from zeroply.players.net import NetPlayer
from zeroply.players.policy import PolicyPlayer
from zeroply.players.rules import Help


def player_of(
    network: Network,
    *,
    name: str = "net",
    rating: int | None = None,
    best: Kind = Kind.engine,
    temperature: float = 0.0,
    top_p: float = 1.0,
    seed: int = 0,
    helps: Sequence[Help] = (),
) -> NetPlayer:
    """A policy is played; a net that only tells what the mover may expect looks one ply ahead."""
    return kind_of(network)(
        network,
        name=name,
        rating=rating,
        best=best,
        temperature=temperature,
        top_p=top_p,
        seed=seed,
        helps=helps,
    )


def kind_of(network: Network) -> type[NetPlayer]:
    """The player that a net is made for."""
    if "policy" in network.outputs:
        return PolicyPlayer
    if tells(network.outputs):
        return AfterstatePlayer
    raise ZeroplyError(
        f"a net that returns {', '.join(network.outputs)} cannot be played. "
        f"It needs one of policy, {', '.join(TELLING)}"
    )
