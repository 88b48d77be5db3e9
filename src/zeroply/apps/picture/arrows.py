"""Arrows for moves: the likelier, the wider and the darker."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from zeroply.games import MoveTable

COLOUR = "#1c5f8a"
NARROW, WIDE = 7.0, 26.0
"""Widths of moves that are hardly likely, and certain; a square is 100 wide."""
FAINT, CLEAR = 0.35, 0.9
"""How much they cover."""
LEAST = 0.005
"""Likelihood below which a move gets no arrow: it would look likelier than it is."""

Point = tuple[float, float]


def arrows(
    table: MoveTable, weighed: Sequence[tuple[int, float]], middle: Callable[[int], Point]
) -> Iterator[str]:
    """The likeliest last, so that it lies on top; a pawn's promotions are one arrow. `middle` of a square."""
    shares: dict[tuple[int, int], float] = defaultdict(float)
    for move, share in weighed:
        shares[int(table.start[move]), int(table.end[move])] += share
    for (start, end), share in sorted(shares.items(), key=lambda entry: entry[1]):
        if share >= LEAST:
            yield arrow(middle(start), middle(end), share)


def arrow(start: Point, end: Point, share: float) -> str:
    """One shape, so that its parts do not darken each other where they meet."""
    length = math.dist(start, end)
    ahead = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    half = (NARROW + (WIDE - NARROW) * math.sqrt(share)) / 2
    head = 20 + 2.2 * half  # from its tip to where the shaft begins
    tail = 18.0  # from the middle of the square that is left
    outline = [
        (tail, half),
        (length - head, half),
        (length - head, 10 + 1.8 * half),
        (length - 4, 0),
        (length - head, -10 - 1.8 * half),
        (length - head, -half),
        (tail, -half),
    ]
    points = " ".join(
        f"{start[0] + ahead[0] * along - ahead[1] * aside:.1f},"
        f"{start[1] + ahead[1] * along + ahead[0] * aside:.1f}"
        for along, aside in outline
    )
    opacity = FAINT + (CLEAR - FAINT) * math.sqrt(share)
    return (
        f'<polygon points="{points}" fill="{COLOUR}" fill-opacity="{opacity:.2f}" stroke-linejoin="round"/>'
    )
