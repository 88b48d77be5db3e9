"""A picture of a run from its metrics.jsonl: each number over the steps, in training and in validation."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.artefacts import new_file
from zeroply.durations import in_words
from zeroply.training.svg import LEARNING, Line, Panel, exact, picture, short

METRICS, CURVES = "metrics.jsonl", "curves.svg"
GRADIENT = "gradient"
OF = "/"
"""Stands between a number and the one of several corpora that it is of."""
NOT_LEARNED = ("step", "epoch", "positions", "seconds", "positions_per_second", "rate", "mfu", GRADIENT)
"""What an entry has beside the numbers that the net is judged by."""
BINS = 240
"""Places along the axis at most: entries that would lie closer are drawn as their mean."""
SMOOTH = 0.015
"""Share of the axis by which the thick line looks left and right."""
START = 0.04
"""Share of the axis whose first, high losses may leave the picture, so that the rest can be seen."""

COURSE: Sequence[tuple[str, str, Callable[[NDArray[np.float64]], str]]] = (
    ("rate", "learning rate", lambda rates: f"up to {short(rates.max())}"),
    (GRADIENT, "gradient's norm", lambda norms: f"median {short(float(np.median(norms)))}"),
    ("positions_per_second", "positions/s", lambda speeds: f"median {short(float(np.median(speeds)))}"),
    ("mfu", "MFU", lambda shares: f"median {np.median(shares):.1%}"),
)
"""How the run went: what an entry calls it, what it is called in the picture, and the number beside that."""

Entry = dict[str, Any]
Series = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Places along the axis, and what was measured there."""


def read(run: Path) -> list[Entry]:
    """The entries of a run; a last line that was cut off is none."""
    path, entries = run / METRICS, []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            entries.append(json.loads(line))
        except ValueError:
            break
    return entries


def draw(run: Path, title: str) -> None:
    """Write curves.svg into the run's folder."""
    entries = read(run)
    if entries:
        with new_file(run / CURVES) as path:
            path.write_text(svg_of(entries, title), encoding="utf-8")


def svg_of(entries: Sequence[Entry], title: str) -> str:
    axis = "epoch" if "epoch" in entries[0] else "step"
    told = dict.fromkeys(
        name for entry in entries for name in entry if name not in NOT_LEARNED and OF not in name
    )
    names = dict.fromkeys(
        name.removeprefix("validation_") for name in told if not name.startswith(("test_", "training_"))
    )
    panels = [_panel(entries, axis, name) for name in _different(entries, list(names))]
    panels += [
        _course(_series(entries, axis, name), words, latest)
        for name, words, latest in COURSE
        if any(name in entry for entry in entries)
    ]
    judged = any(line.kind == "raw" for panel in panels for line in panel.lines)
    return picture(title, _summary(entries), axis, panels, LEARNING if judged else ())


def _different(entries: Sequence[Entry], names: list[str]) -> list[str]:
    """Without the loss where it is one term and no sum."""
    equal = "loss" in names and any(
        all(entry["loss"] == entry.get(name) for entry in entries if "loss" in entry)
        for name in names
        if name != "loss"
    )
    return [name for name in names if name != "loss"] if equal else names


def _series(entries: Sequence[Entry], axis: str, name: str) -> Series:
    found = [(entry[axis], entry[name]) for entry in entries if name in entry and axis in entry]
    places, values = zip(*found, strict=True) if found else ((), ())
    return np.array(places, np.float64), np.array(values, np.float64)


def _panel(entries: Sequence[Entry], axis: str, name: str) -> Panel:
    training = _binned(_series(entries, axis, name))
    validation, test = (_series(entries, axis, f"{part}_{name}") for part in ("validation", "test"))
    smooth = training[0], _smoothed(training)
    lines = [Line("raw", *training), Line("training", *smooth), Line("validation", *validation, dots=True)]
    latest = {"training": smooth, "validation": validation, "test": test}
    return Panel(
        name,
        ", ".join(f"{part} {exact(values[-1])}" for part, (_, values) in latest.items() if len(values)),
        [line for line in lines if len(line.x)],
        *_span(np.concatenate([_behind_the_start(series) for series in (training, smooth, validation)])),
    )


def _course(series: Series, name: str, latest: Callable[[NDArray[np.float64]], str]) -> Panel:
    """How the run went, not how well: one line, over zero."""
    places, values = _binned(series)
    return Panel(name, latest(series[1]), [Line("training", places, values)], 0.0, 1.08 * values.max() or 1.0)


def _behind_the_start(series: Series) -> NDArray[np.float64]:
    places, values = series
    behind: NDArray[np.float64] = values[places >= START * places.max(initial=0.0)]
    return behind


def _span(values: NDArray[np.float64]) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    wide = high - low > 1e-9 * abs(high)  # the mean of equal numbers may be a rounding off
    margin = 0.08 * (high - low) if wide else 0.05 * abs(high) or 1.0
    return low - margin, high + margin


def _binned(series: Series) -> Series:
    places, values = series
    good = np.isfinite(values)
    places, values = places[good], values[good]
    if len(places) <= BINS:
        return places, values
    at = np.minimum((places / places.max() * BINS).astype(np.int64), BINS - 1)
    counts = np.bincount(at, minlength=BINS)
    sums = [np.bincount(at, weights=weights, minlength=BINS) for weights in (places, values)]
    full = counts > 0
    return sums[0][full] / counts[full], sums[1][full] / counts[full]


def _smoothed(series: Series) -> NDArray[np.float64]:
    places, values = series
    if not len(places):
        return values
    # In a short run the next entry lies further away than that.
    reach = max(SMOOTH, 1 / len(places)) * max(1e-12, places.max())
    near = np.exp(-0.5 * ((places[:, None] - places) / reach) ** 2)
    smooth: NDArray[np.float64] = near @ values / near.sum(1)
    return smooth


def _summary(entries: Sequence[Entry]) -> str:
    last = entries[-1]
    parts = [f"{last['step']:,} steps"]
    if "positions" in last:
        parts.append(f"{short(last['positions'])} positions")
    if "seconds" in last:
        parts.append(in_words(last["seconds"]))
    return ", ".join(parts)
