"""A rating by maximum likelihood, from games against opponents whose ratings are known."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from zeroply.evals.elo import CONFIDENCE, Z, expected

SLOPE = math.log(10) / 400
"""Of the expected share of the points, per Elo, over share × (1 - share)."""
LOWEST, HIGHEST = -20_000.0, 20_000.0
"""Ratings are looked for from here to there."""

Group = Sequence[tuple[float, float]]
"""Games that resemble each other, as those from one opening: of each the opponent's rating and the points."""


def rating(groups: Sequence[Group]) -> tuple[float | None, float | None, float | None]:
    """The rating at which the points that were won are those that are expected, which is the likeliest one;
    and its 95 % interval, with the spread between groups, not games. Where all games were won or lost no
    rating is the likeliest, and the interval has one end."""
    games = [game for group in groups for game in group]
    won = sum(points for _, points in games)
    if won in (0, len(games)):
        return _beyond(groups, all_won=won > 0)
    found = _root(lambda mine: sum(points - expected(mine - theirs) for theirs, points in games))
    surprises = [sum(points - expected(found - theirs) for theirs, points in group) for group in groups]
    shares = [expected(found - theirs) for theirs, _ in games]
    chance = sum(share * (1 - share) for share in shares)
    spread = sum(surprise**2 for surprise in surprises) * len(groups) / max(1, len(groups) - 1)
    if spread < 1e-9 or len(groups) == 1:  # all came as expected, which is luck: as if no game were drawn
        spread = chance
    margin = Z * math.sqrt(spread) / (chance * SLOPE)
    return found, found - margin, found + margin


def _beyond(groups: Sequence[Group], *, all_won: bool) -> tuple[None, float | None, float | None]:
    """The rating at which so much luck, in each group once, has a chance of 2.5 %."""
    theirs = [group[0][0] for group in groups]
    luck = math.log((1 - CONFIDENCE) / 2)
    if all_won:
        return (
            None,
            _root(lambda mine: luck - sum(math.log(expected(mine - other)) for other in theirs)),
            None,
        )
    return None, None, _root(lambda mine: sum(math.log(expected(other - mine)) for other in theirs) - luck)


def _root(falling: Callable[[float], float]) -> float:
    """Where a function that falls from the lowest to the highest rating is 0."""
    low, high = LOWEST, HIGHEST
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2
