"""How a move is drawn from a look: the likeliest, or by chance; and how far down chance may reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import nextafter

import numpy as np
from numpy.typing import NDArray

from zeroply.errors import ZeroplyError
from zeroply.players.base import Glance

MOST_TEMPERATURE = 100.0
LEAST_SHARE = nextafter(0, 1)
"""No share at all is nothing to draw from."""
LIVELIEST, RATED_LIVELIEST, RATED_CALMEST = 0.6, 2300, 2800
"""Like whom moves are drawn at which usual temperature, and from which rating on the likeliest is played."""


def usual_temperature(rating: int | None) -> float:
    """That of a player who is asked for as a person of this rating, and for no temperature: told the rating
    alone, a net errs as any of them about alike, where people of a lower one lose more by their moves
    (docs/decisions/0019)."""
    if not rating:  # as well as it can, or a person of no known rating
        return 0.0
    share = (RATED_CALMEST - rating) / (RATED_CALMEST - RATED_LIVELIEST)
    return LIVELIEST * min(1.0, max(0.0, share))


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """Temperature 0 is always the likeliest move, at 1 moves come as often as the look says. Of these, at
    `top_p` only the likeliest are drawn from: the fewest that have at least this share together."""

    temperature: float = 0.0
    top_p: float = 1.0

    def __post_init__(self) -> None:
        for name, value, least, most, wanted in (
            ("temperature", self.temperature, 0.0, MOST_TEMPERATURE, f"from 0 to {MOST_TEMPERATURE:g}"),
            ("top_p", self.top_p, LEAST_SHARE, 1.0, "above 0, at most 1"),
        ):
            if not (isinstance(value, float | int) and least <= value <= most):
                raise ZeroplyError(f"{name}={value} will not do: it is a number {wanted}")

    def moves(self, glance: Glance, random: np.random.Generator) -> Iterator[int]:
        """All its moves one after the other, for those who may not play the first: likeliest first, or as
        they are drawn. Those that `top_p` leaves out come last."""
        if self.temperature <= 0:
            yield from map(int, glance.moves)
            return
        shares = np.maximum(glance.probabilities, np.finfo(np.float64).tiny)
        kept = self._kept(shares)
        moves, left = glance.moves[:kept], shares[:kept]
        while len(moves):
            weights = self._weights(left)
            drawn = random.choice(len(moves), p=weights / weights.sum())
            yield int(moves[drawn])
            moves, left = np.delete(moves, drawn), np.delete(left, drawn)
        yield from map(int, glance.moves[kept:])

    def _weights(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Relative to the likeliest, so that a low temperature does not underflow."""
        weights: NDArray[np.float64] = (shares / shares.max()) ** (1 / self.temperature)
        return weights

    def _kept(self, shares: NDArray[np.float64]) -> int:
        """How many of the moves, likeliest first, are drawn from: at least one."""
        if self.top_p >= 1:  # the sum would round some away
            return len(shares)
        weights = self._weights(shares)
        before = np.cumsum(weights) - weights
        return max(1, int((before < self.top_p * weights.sum()).sum()))
