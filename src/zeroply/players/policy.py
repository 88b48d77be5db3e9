"""A player that plays its policy: one forward pass for all positions, then the best or a sampled move."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zeroply.games import Position, stack
from zeroply.players.base import Glance, Network
from zeroply.players.rules import Help

STRONGEST = 2800
"""The rating that asks a net for its best: about the highest among human players."""


UNRATED = 0
"""The rating that leaves it open."""


def rated(network: Network) -> bool:
    """Whether the net saw ratings when it learnt; one that did not would stumble over any."""
    known: bool = network.about.get("training", {}).get("rated", True)
    return known


class PolicyPlayer:
    """`rating` is whom the net should play like; temperature 0 is always the likeliest move. Policy alone
    unless it is given `helps` of the rules."""

    def __init__(
        self,
        network: Network,
        *,
        name: str = "policy",
        rating: int = STRONGEST,
        temperature: float = 0.0,
        seed: int = 0,
        helps: Sequence[Help] = (),
    ) -> None:
        self.network, self.name = network, name
        self.rating = rating if rated(network) else UNRATED
        self._temperature = temperature
        self._helps = tuple(helps)
        self._random = np.random.default_rng(seed)

    def glance(self, positions: Sequence[Position]) -> list[Glance]:
        """One look at each position, all in one batch."""
        rows = stack([position.row(self.network.history) for position in positions])
        rows["rating"] = np.full(len(positions), self.rating, np.int16)
        out = self.network(rows)
        return [
            _glance(position.legal(), policy, wdl)
            for position, policy, wdl in zip(positions, out["policy"], np.exp(out["wdl"]), strict=True)
        ]

    def choose(self, positions: Sequence[Position]) -> list[int]:
        return [self.pick(*look) for look in zip(positions, self.glance(positions), strict=True)]

    def pick(self, position: Position, glance: Glance) -> int:
        """The likeliest move, or one drawn at the player's temperature, of those that its helps leave."""
        for help_ in self._helps:
            glance = help_(position, glance)
        if self._temperature <= 0:
            return int(glance.moves[0])
        # Relative to the likeliest, so that a low temperature does not underflow.
        weights = (glance.probabilities / glance.probabilities[0]) ** (1 / self._temperature)
        return int(self._random.choice(glance.moves, p=weights / weights.sum()))

    def close(self) -> None:
        """Nothing to let go of."""


def _glance(
    legal: np.ndarray[tuple[int], np.dtype[np.int64]],
    policy: np.ndarray[tuple[int], np.dtype[np.float32]],
    wdl: Sequence[float],
) -> Glance:
    """Renormalise the policy over the legal moves; only a player does that."""
    logs = policy[legal].astype(np.float64)
    weights = np.exp(logs - logs.max())
    order = np.argsort(-weights, kind="stable")
    win, draw, loss = (float(share) for share in wdl)
    return Glance(moves=legal[order], probabilities=(weights / weights.sum())[order], wdl=(win, draw, loss))
