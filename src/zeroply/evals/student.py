"""Student's t for whole degrees of freedom: what the normal distribution is for a spread that is known."""

from __future__ import annotations

import math
from functools import cache


def t_below(t: float, freedom: int) -> float:
    """How likely a value below `t` is (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    angle = math.atan(t / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term, total = (cosine if odd else 1.0), 0.0
    for k in range(1 + odd, freedom, 2):
        total += term
        term *= cosine**2 * k / (k + 1)
    middle = 2 / math.pi * (angle + sine * total) if odd else sine * total
    return min(1.0, max(0.0, (1 + middle) / 2))


@cache
def t_within(share: float, freedom: int) -> float:
    """Between minus this and this lies that share of all values."""
    low, high = 0.0, 1e6
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if t_below(middle, freedom) > (1 + share) / 2 else (middle, high)
    return high
