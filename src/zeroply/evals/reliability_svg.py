"""A picture of a calibration: what came over what was said, and the diagonal where both are the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from zeroply.evals.bands import SAID, by_dimension
from zeroply.training.svg import Line, Panel, exact, picture


def reliability_svg(found: Mapping[str, Any], title: str) -> str:
    """From the numbers of `calibration`."""
    parts = by_dimension(found)
    panels = [_panel(name, parts[name], found[f"{name}_ece"]) for name in SAID if name in parts]
    return picture(title, f"{found['n']:,} positions of {found['games']:,} games", "said", panels)


def _panel(name: str, bands: Mapping[str, Mapping[str, Any]], error: float) -> Panel:
    said, came = (np.array([numbers[what] for numbers in bands.values()]) for what in ("said", "came"))
    low = min(0.0, *said, *came)
    high = max(1.0, *said, *came)
    ends = np.array([low, high])
    lines = [Line("ideal", ends, ends), Line("validation", said, came, dots=True)]
    return Panel(name, f"came over said, error {exact(error)}", lines, low, high, low, high)
