"""Move counts of 13 known positions."""

import pytest

from tests.games.xiangqi import XIANGQI, golden
from zeroply.games.perft import perft

QUICK = 10_000
"""Up to so many lines a count is quick; more are left to `make test`."""
DEEPEST = 4
"""Beyond, nobody waits."""


def cases() -> list[object]:
    found: list[object] = []
    for number, line in enumerate(golden("xiangqi-perft.txt"), 1):
        fen, *counts = line.split(" ;")
        for entry in counts:
            depth, count = int(entry.split()[0][1:]), int(entry.split()[1])
            marks = [] if count <= QUICK else [pytest.mark.slow]
            if depth <= DEEPEST:
                found.append(pytest.param(fen, depth, count, id=f"{number}-{depth}", marks=marks))
    return found


@pytest.mark.parametrize(("fen", "depth", "count"), cases())
def test_perft(fen: str, depth: int, count: int) -> None:
    assert perft(XIANGQI.start(fen), depth) == count
