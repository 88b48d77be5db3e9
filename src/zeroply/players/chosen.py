"""Which player plays a net: its outputs tell, and who asks for another look."""

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

LOOKS = (PolicyPlayer.look, AfterstatePlayer.look)
"""What a net's player may look at."""


def player_of(
    network: Network,
    *,
    name: str = "net",
    look: str | None = None,
    rating: int | None = None,
    best: Kind = Kind.engine,
    temperature: float | None = None,
    top_p: float = 1.0,
    seed: int = 0,
    helps: Sequence[Help] = (),
) -> NetPlayer:
    """With the `look` that is asked for, one of LOOKS, or that for which the net is made."""
    return _class_for(network, look, name)(
        network,
        name=name,
        rating=rating,
        best=best,
        temperature=temperature,
        top_p=top_p,
        seed=seed,
        helps=helps,
    )


def _made_for(network: Network) -> type[NetPlayer]:
    """The player that a net is made for: a policy is played; one that only tells what the mover may expect
    looks at successors."""
    if "policy" in network.outputs:
        return PolicyPlayer
    if tells(network.outputs):
        return AfterstatePlayer
    raise ZeroplyError(
        f"a net that returns {', '.join(network.outputs)} cannot be played. "
        f"It needs one of policy, {', '.join(TELLING)}"
    )


def _class_for(network: Network, look: str | None, name: str) -> type[NetPlayer]:
    made_for = _made_for(network)
    if look in (None, made_for.look):
        return made_for
    if look not in LOOKS:
        raise ZeroplyError(f"look={look} of '{name}' will not do: it is one of {', '.join(LOOKS)}")
    if look == AfterstatePlayer.look and tells(network.outputs):
        return AfterstatePlayer
    needed = " or ".join(TELLING) if look == AfterstatePlayer.look else "policy"
    raise ZeroplyError(
        f"look={look} of '{name}' will not do: the net returns {', '.join(network.outputs)}, and that look "
        f"needs {needed}. Leave it out, or choose another model"
    )
