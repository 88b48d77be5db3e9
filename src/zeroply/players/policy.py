"""A player that plays its policy: one forward pass for all positions, then the best or a sampled move."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zeroply.games import Position
from zeroply.players.base import Glance
from zeroply.players.expectation import expected_points, tells
from zeroply.players.net import NetPlayer, likeliest_first


class PolicyPlayer(NetPlayer):
    """The net is shown the position and nothing else; its policy is renormalised over the legal moves, which
    only a player does."""

    look = "policy"

    def glance(self, positions: Sequence[Position]) -> list[Glance]:
        out = self._ask(positions)
        expected = expected_points(out) if tells(out) else None
        shares = np.exp(out["wdl"]).tolist() if "wdl" in out else None
        looks = []
        for at, position in enumerate(positions):
            legal = position.legal()
            order, probabilities = likeliest_first(out["policy"][at, legal].astype(np.float64))
            looks.append(
                Glance(
                    moves=legal[order],
                    probabilities=probabilities,
                    wdl=None if shares is None else tuple(shares[at]),
                    expected=None if expected is None else float(expected[at]),
                )
            )
        return looks
