"""The tags of many games as columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Columns: TypeAlias = dict[str, Sequence[str | None]]
"""For each tag its value in every game, None where a game does not have it."""


class Header(NamedTuple):
    """The tags of one game. Games with the same tags share the list of names, mostly."""

    names: Sequence[str]
    values: Sequence[str]


def columns(headers: Sequence[Header]) -> Columns:
    """Games with the same names are taken together, which is far quicker than one by one."""
    alike = dict[int, list[int]]()
    for at, header in enumerate(headers):
        alike.setdefault(id(header.names), []).append(at)
    found = dict[str, list[str | None]]()
    for places in alike.values():
        names = headers[places[0]].names
        for name, values in zip(names, zip(*(headers[at].values for at in places), strict=True), strict=True):
            column = found.setdefault(name, [None] * len(headers))
            if len(places) == len(headers):
                column[:] = values
            else:
                for at, value in zip(places, values, strict=True):
                    column[at] = value
    return dict(found)


def chosen(found: Columns, places: Sequence[int]) -> Columns:
    """Some of the games."""
    return {name: [column[at] for at in places] for name, column in found.items()}


def derived(found: Columns, name: str, games: int, value: Callable[[str | None], int]) -> NDArray[np.uint16]:
    """[games] `value` of a tag in every game."""
    return np.fromiter(map(value, found.get(name, [None] * games)), np.uint16, games)
