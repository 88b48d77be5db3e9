"""Charts of results, of one net or of several in one: from the flat objects that measures give.

A net has the same colour in all charts, by its place; one whose result has nothing to draw is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.evals.bands import PLIES, RATINGS, SAID, by_dimension
from zeroply.evals.elo import expected
from zeroply.training.svg import Line, Panel, exact, model_kind, picture

Found = Mapping[str, Any]
"""What a measure found; empty where it was not made."""


def calibration_panels(results: Sequence[Found]) -> list[Panel]:
    """What came over what was said, and the diagonal where both are the same."""
    panels = []
    for thing in SAID:
        bands = {place: by_dimension(found).get(thing, {}) for place, found in enumerate(results)}
        drawn = {place: own for place, own in bands.items() if own}
        lines = [_line(place, own, "came", _column(own, "said")) for place, own in drawn.items()]
        if not lines:
            continue
        ends = np.concatenate([[0.0, 1.0], *(line.x for line in lines), *(line.y for line in lines)])
        low, high = float(ends.min()), float(ends.max())
        ideal = Line("ideal", np.array([low, high]), np.array([low, high]))
        errors = ", ".join(exact(results[place][f"{thing}_ece"]) for place in drawn)
        panels.append(Panel(thing, f"came, error {errors}", [ideal, *lines], low, high, low, high, "said"))
    return panels


def accuracy_panels(results: Sequence[Found]) -> list[Panel]:
    """The share of moves foreseen, by the mover's rating and along the game."""
    return [
        *_by_number(results, "top1", "rating", RATINGS, "top-1 by rating", "the mover's Elo"),
        *_by_number(results, "top1", "ply", PLIES, "top-1 by ply", "ply"),
        *_by_number(results, "nll", "ply", PLIES, "NLL by ply", "ply"),
    ]


def puzzle_panels(results: Sequence[Found]) -> list[Panel]:
    return [
        *_by_number(results, "solved", "rating", RATINGS, "whole line right", "the puzzle's rating"),
        *_by_number(results, "first_move", "rating", RATINGS, "first move right", "the puzzle's rating"),
    ]


def ladder_panels(results: Sequence[Found]) -> list[Panel]:
    """Scores at rungs, and the curve that the rating expects."""
    lines, told = list[Line](), list[str]()
    rungs = sorted({int(rung) for found in results for rung in by_dimension(found).get("rung", {})})
    if not rungs:
        return []
    left, right = rungs[0] - 100.0, rungs[-1] + 100.0
    for place, found in enumerate(results):
        own = by_dimension(found).get("rung", {})
        if not own:
            continue
        if found["elo"] is not None:
            x = np.linspace(left, right, 60)
            lines.append(Line("ideal", x, np.array([expected(found["elo"] - there) for there in x])))
            told.append(f"{found['elo']:.0f}")
        points = _line(place, own, "score", np.array([float(rung) for rung in own]))
        lines.append(replace(points, joined=False))
    scales = ", ".join(dict.fromkeys(found["scale"] for found in results if found.get("scale")))
    return [
        Panel(
            f"ladder: {', '.join(told) or 'no rating'}",
            "score at each rung",
            lines,
            0.0,
            1.0,
            left,
            right,
            scales,
        )
    ]


def calibration_svg(found: Found, title: str) -> str:
    """From the numbers of `calibration`."""
    summary = f"{found['n']:,} positions of {found['games']:,} games"
    return picture(title, summary, "said", calibration_panels([found]))


def ladder_svg(found: Found, title: str) -> str:
    """From the numbers of a ladder."""
    summary = f"{found['n']:,} games, {found['pairs']:,} openings"
    return picture(title, summary, found["scale"], ladder_panels([found]))


def _by_number(
    results: Sequence[Found], name: str, dimension: str, width: int, title: str, axis: str
) -> list[Panel]:
    """A measure over bands that are called by their lowest number: drawn above their middles."""
    lines = []
    for place, found in enumerate(results):
        bands = by_dimension(found).get(dimension, {})
        own = {band: numbers for band, numbers in bands.items() if band.isdecimal() and name in numbers}
        if own:
            lines.append(_line(place, own, name, np.array([int(band) + width / 2 for band in own])))
    if not lines:
        return []
    spans = [part for line in lines for part in (line.y, *(line.span or ()))]
    values = np.concatenate(spans)
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    margin = 0.08 * (high - low) or 0.05
    places = np.concatenate([line.x for line in lines])
    left, right = float(places.min()) - width / 2, float(places.max()) + width / 2
    return [Panel(title, "", lines, max(0.0, low - margin), high + margin, left, right, axis)]


def _line(place: int, bands: Mapping[str, Mapping[str, Any]], name: str, x: NDArray[np.float64]) -> Line:
    """Of the net at a place: a number of each band, with its interval where there is one."""
    y, low, high = (_column(bands, name + bound) for bound in ("", "_low", "_high"))
    order = np.argsort(x)
    return Line(model_kind(place), x[order], y[order], dots=True, span=(low[order], high[order]))


def _column(bands: Mapping[str, Mapping[str, Any]], name: str) -> NDArray[np.float64]:
    values = [numbers.get(name) for numbers in bands.values()]
    return np.array([np.nan if value is None else value for value in values], np.float64)
