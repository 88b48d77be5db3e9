"""Defaults of a recipe's options that say what else the option may be: `depth: int = at_least_one(8)`.

An option without bounds may be any number from 0 to MOST_OF_ALL.
"""

from __future__ import annotations

import math
from dataclasses import Field, field
from typing import Any

LEAST, ABOVE, MOST, BELOW = "least", "above", "most", "below"
MOST_OF_ALL = 1_000_000_000
"""More is a slip of the hand, and torch's and Lightning's own numbers would overflow."""
DEEPEST = 1_000
"""Layers: each takes its time to build, however few weights it has."""
LONGEST = 1_000
"""Past moves: few games have more."""


def at_least(least: int, default: int) -> int:
    return field(default=default, metadata={LEAST: least})


def at_least_one(default: int) -> int:
    return at_least(1, default)


def between(least: int, most: int, default: int) -> int:
    return field(default=default, metadata={LEAST: least, MOST: most})


def layers(default: int) -> int:
    """From 1 to DEEPEST."""
    return between(1, DEEPEST, default)


def past_moves(default: int) -> int:
    """From 0 to LONGEST."""
    return between(0, LONGEST, default)


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
    least, most = option.metadata.get(LEAST, 0), option.metadata.get(MOST, MOST_OF_ALL)
    above, below = option.metadata.get(ABOVE, -math.inf), option.metadata.get(BELOW, math.inf)
    if isinstance(value, float) and not math.isfinite(value):
        return "must be a number"
    if value <= above:
        return f"must be above {above}"
    if value < least:
        return f"must be at least {least}"
    if value > most:
        return f"must be at most {most:,}"
    return f"must be below {below}" if value >= below else None
