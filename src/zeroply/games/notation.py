"""How people write what all games share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

RESULTS: Mapping[float, Literal["1-0", "1/2-1/2", "0-1"]] = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}
"""The first player's points as PGN has them."""
UNKNOWN = "*"
