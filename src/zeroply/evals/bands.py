"""Numbers of parts of a test set: by phase, rating, ply, theme, or by what was said; and their names.

What `top1` is of all positions, `top1_phase_endgame` is of those of endgames, from `top1_phase_endgame_low`
to `top1_phase_endgame_high`, and these are `n_phase_endgame` positions: so all fits into one flat object.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.told import UNRATED
from zeroply.evals.measures import measured
from zeroply.evals.phases import PHASES, phases
from zeroply.games import Game, Rows

T = TypeVar("T")

SAID = ("win", "draw", "loss", "points", "evaluation")
"""Things that a net says a number of: positions by that number are bands too, called by its lowest."""
DIMENSIONS = ("phase", "rating", "ply", "theme", "rung", *SAID)
NAMES = re.compile(
    rf"(?P<name>\w+?)_(?P<dimension>{'|'.join(DIMENSIONS)})_(?P<band>.+?)(?P<bound>_low|_high)?"
)
RATINGS = 200
"""Elo in a band; it is called by its lowest."""
UNKNOWN, NOBODY = "unknown", -1
"""The band of what is not known, and its number."""
FEWEST = 10
"""Of themes, of which there are many, those with fewer are left out."""
PLIES, LAST_PLY = 20, 120
"""Plies in a band, likewise called by its first; the last has all from there on."""


def rating_band(rating: int) -> str:
    return str(rating // RATINGS * RATINGS)


def codes_of(game: Game, rows: Rows) -> dict[str, NDArray[np.int64]]:
    """[B] by dimension: the number of each position's band, in the order in which bands are shown."""
    rating = rows["rating"].astype(np.int64)
    return {
        "phase": phases(game, rows),
        "rating": np.where(rating == UNRATED, NOBODY, rating // RATINGS * RATINGS),
        "ply": np.minimum(rows["ply"].astype(np.int64) // PLIES * PLIES, LAST_PLY),
    }


def band_of(dimension: str, code: int) -> str:
    """What a band is called."""
    if dimension == "phase":
        return PHASES[code]
    return UNKNOWN if code == NOBODY else str(code)


def measured_by_band(
    columns: Mapping[str, NDArray[Any]],
    codes: Mapping[str, NDArray[np.int64]],
    group: NDArray[np.int64],
    seed: int,
) -> dict[str, Any]:
    """The means of `columns` [n] in each band of each dimension, with intervals over groups. A dimension of
    which nothing is known is left out."""
    found = dict[str, Any]()
    for dimension, code in codes.items():
        bands = {band_of(dimension, int(number)): code == number for number in np.unique(code)}
        for band, own in bands.items() if set(bands) != {UNKNOWN} else ():
            numbers = measured({name: column[own] for name, column in columns.items()}, group[own], seed)
            found |= within({"n": int(own.sum()), **numbers}, dimension, band)
    return found


def grouped(
    items: Iterable[T], bands_of: Callable[[T], Iterable[str]], fewest: int = 1
) -> dict[str, list[T]]:
    """Items by band, in the order of these: numbers by size, then words. One may be in several bands; those
    with fewer than `fewest` are left out."""
    found = dict[str, list[T]]()
    for item in items:
        for band in bands_of(item):
            found.setdefault(band, []).append(item)
    order = sorted(found, key=lambda band: (not band.isdecimal(), int(band) if band.isdecimal() else 0, band))
    kept = {band: found[band] for band in order if len(found[band]) >= fewest}
    return {} if set(kept) == {UNKNOWN} else kept


def within(numbers: Mapping[str, Any], dimension: str, band: str) -> dict[str, Any]:
    """Numbers of a band under their full names."""
    renamed = dict[str, Any]()
    for name, value in numbers.items():
        measure, bound = next(
            ((name.removesuffix(bound), bound) for bound in ("_low", "_high") if name.endswith(bound)),
            (name, ""),
        )
        renamed[f"{measure}_{dimension}_{band}{bound}"] = value
    return renamed


def by_dimension(found: Mapping[str, Any]) -> dict[str, dict[str, dict[str, Any]]]:
    """The numbers of bands in a flat object, by dimension, band and name: what `within` did, undone."""
    parts = dict[str, dict[str, dict[str, Any]]]()
    for name, value in found.items():
        if match := NAMES.fullmatch(name):
            bands = parts.setdefault(match["dimension"], {})
            bands.setdefault(match["band"], {})[match["name"] + (match["bound"] or "")] = value
    return parts
