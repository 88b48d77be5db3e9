"""Defaults of a recipe's options that say what else the option may be: `depth: int = at_least_one(8)`.

An option without bounds may be any number from 0 on.
"""

from __future__ import annotations

import math
from dataclasses import Field, field
from typing import Any

LEAST, MOST = "least", "most"


def at_least_one(default: int) -> int:
    return field(default=default, metadata={LEAST: 1})


def share(default: float) -> float:
    return field(default=default, metadata={MOST: 1})


def flaw(option: Field[Any], value: float) -> str | None:
    """What is wrong with a number for this option; None where it will do."""
    least, most = option.metadata.get(LEAST, 0), option.metadata.get(MOST, math.inf)
    if not (math.isfinite(value) and value >= 0):
        return "cannot be negative or endless"
    if value < least:
        return f"must be at least {least}"
    return f"is a share, 0 to {most}" if value > most else None
