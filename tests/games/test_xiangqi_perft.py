"""Move counts of 13 known positions, by the rules of single positions and by the kernel for many."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.games.xiangqi import XIANGQI, golden
from zeroply.games.perft import perft

QUICK = 10_000
"""Up to so many lines a count is quick position by position; more are left to `make test`."""
DEEPEST = 4
"""Beyond, nobody waits."""
BLOCK = 4096
QUICK_IN_BULK = {*(f"{number}-3" for number in range(1, 14)), "12-4", "13-4"}
SLOW_IN_BULK = {*(f"{number}-4" for number in range(1, 12)), "3-5"}


def cases() -> dict[str, tuple[str, int, int]]:
    """By number of the position and depth: FEN, depth, count."""
    found = {}
    for number, line in enumerate(golden("xiangqi-perft.txt"), 1):
        fen, *counts = line.split(" ;")
        for entry in counts:
            depth, count = int(entry.split()[0][1:]), int(entry.split()[1])
            found[f"{number}-{depth}"] = fen, depth, count
    return found


CASES = cases()
SINGLY = [
    pytest.param(*case, id=name, marks=[] if case[2] <= QUICK else [pytest.mark.slow])
    for name, case in CASES.items()
    if case[1] <= DEEPEST
]
IN_BULK = [
    pytest.param(*CASES[name], id=name, marks=[pytest.mark.slow] if name in SLOW_IN_BULK else [])
    for name in sorted(QUICK_IN_BULK | SLOW_IN_BULK)
]


def bulk_perft(rows: dict[str, NDArray[Any]], depth: int) -> int:
    """As `perft`, of many positions at once."""
    if len(rows["turn"]) > BLOCK:
        halves = np.array_split(np.arange(len(rows["turn"])), 2)
        return sum(
            bulk_perft({name: column[half] for name, column in rows.items()}, depth) for half in halves
        )
    legal = XIANGQI.legal(rows)
    if depth == 1:
        return int(legal.sum())
    parents, moves = legal.nonzero()
    steps = XIANGQI.steps({name: column[parents] for name, column in rows.items()})
    steps.step(moves)
    return bulk_perft(steps.state, depth - 1)


@pytest.mark.parametrize(("fen", "depth", "count"), SINGLY)
def test_perft(fen: str, depth: int, count: int) -> None:
    assert perft(XIANGQI.start(fen), depth) == count


@pytest.mark.parametrize(("fen", "depth", "count"), IN_BULK)
def test_perft_in_bulk(fen: str, depth: int, count: int) -> None:
    assert bulk_perft(XIANGQI.rows([fen]), depth) == count
