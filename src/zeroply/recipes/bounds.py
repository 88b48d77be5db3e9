"""Defaults of a recipe's options that say what else the option may be: `depth: int = at_least_one(8)`.

An option without bounds may be any number from 0 on.
"""

from __future__ import annotations

import math
from dataclasses import Field, field
from typing import Any

LEAST, ABOVE, MOST, BELOW = "least", "above", "most", "below"


def at_least(least: int, default: int) -> int:
    return field(default=default, metadata={LEAST: least})


def at_least_one(default: int) -> int:
    return at_least(1, default)


def above_zero(default: float) -> float:
    return field(default=default, metadata={ABOVE: 0})


def share(default: float) -> float:
    """From 0 to 1."""
    return field(default=default, metadata={MOST: 1})


def below_one(default: float) -> float:
    """From 0 on, and 1 is too much."""
    return field(default=default, metadata={BELOW: 1})


def flaw(option: Field[Any], value: float) -> str | None:
    """What is wrong with a number for this option; None where it will do."""
    least, most = option.metadata.get(LEAST, 0), option.metadata.get(MOST, math.inf)
    above, below = option.metadata.get(ABOVE, -math.inf), option.metadata.get(BELOW, math.inf)
    if not math.isfinite(value):
        return "must be a number"
    if value <= above:
        return f"must be above {above}"
    if value < least:
        return f"must be at least {least}"
    if value > most:
        return f"must be at most {most}"
    return f"must be below {below}" if value >= below else None
