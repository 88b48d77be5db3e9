"""A rating by maximum likelihood, from games against opponents whose ratings are known."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from zeroply.evals.elo import expected
from zeroply.evals.intervals import CONFIDENCE, Z
from zeroply.evals.student import t_within

SLOPE = math.log(10) / 400
"""Of the expected share of the points, per Elo, over share × (1 - share)."""
LOWEST, HIGHEST = -20_000.0, 20_000.0
"""Ratings are looked for from here to there."""
LEAST_CHANCE = 1.0
"""Variance of the points at a rung, if nobody draws, from which on they tell more than whether there was an
upset: that of four games between equals, or of 22 where one in 20 is lost."""

Group = Sequence[tuple[float, float]]
"""Games that resemble each other, as those from one opening: of each the opponent's rating and the points."""


class Rating(NamedTuple):
    """What games tell of a player. Where all were won or lost no rating is the likeliest, and the interval
    has one end."""

    elo: float | None
    low: float | None
    high: float | None
    chi_square: float | None = None
    """Of the points at each rating of opponents, around those that are expected there; ratings at which
    hardly anything was open count together with their neighbours."""
    freedom: int = 0
    """What chi-square is on average where the scale fits: one less than it has terms."""


def rating(groups: Sequence[Group]) -> Rating:
    """The rating at which the points that were won are those that are expected, which is the likeliest one;
    and its 95 % interval, with the spread between groups, not games. Groups are of one opponent each.

    Where opponents of different ratings tell different things the scale does not fit this player, and the
    interval is as much wider as they differ more than by chance. No interval goes less far than if all games
    had been won, or lost."""
    games = [game for group in groups for game in group]
    won = sum(points for _, points in games)
    if won in (0, len(games)):
        return _beyond(groups, all_won=won > 0)
    found = _root(lambda mine: sum(points - expected(mine - theirs) for theirs, points in games))
    rungs: dict[float, list[float]] = {}
    chances: dict[float, float] = {}
    for group in groups:
        theirs, share = group[0][0], expected(found - group[0][0])
        rungs.setdefault(theirs, []).append(sum(points - share for _, points in group))
        chances[theirs] = chances.get(theirs, 0.0) + share * (1 - share) * len(group)
    spread, likely = _spread(rungs, chances)
    pools = _pools(chances)
    freedom = len(pools) - 1
    chi_square = sum(
        sum(sum(rungs[theirs]) for theirs in pool) ** 2 / (spread * sum(chances[theirs] for theirs in pool))
        for pool in pools
    )
    misfit = math.sqrt(max(1.0, chi_square / freedom)) if freedom else 1.0
    margin = misfit * likely * math.sqrt(spread / sum(chances.values())) / SLOPE
    least, most = _beyond(groups, all_won=True).low, _beyond(groups, all_won=False).high
    low, high = found - margin, found + margin
    return Rating(
        found,
        low if least is None else min(low, least),
        high if most is None else max(high, most),
        chi_square if freedom else None,
        freedom,
    )


def _spread(rungs: Mapping[float, Sequence[float]], chances: Mapping[float, float]) -> tuple[float, float]:
    """How much groups at one rung differ, over what games that nobody draws and that have nothing to do with
    each other would; and how many times that is likely."""
    freedom = sum(len(own) - 1 for own in rungs.values())
    spread = sum(sum((one - sum(own) / len(own)) ** 2 for one in own) for own in rungs.values())
    if spread < 1e-9:  # all came alike, which is luck
        return 1.0, Z
    usual = sum(chances[theirs] * (len(own) - 1) / len(own) for theirs, own in rungs.items())
    return spread / usual, t_within(CONFIDENCE, freedom)


def _pools(chances: Mapping[float, float]) -> list[list[float]]:
    """The rungs from the lowest, together with the next ones until enough was open; those that are left at
    the top with the last. A single upset where nobody expected one tells nothing about the scale."""
    pools: list[list[float]] = []
    pool: list[float] = []
    for theirs in sorted(chances):
        pool.append(theirs)
        if sum(chances[one] for one in pool) >= LEAST_CHANCE:
            pools.append(pool)
            pool = []
    return [*pools[:-1], [*pools[-1], *pool]] if pools else [pool]


def _beyond(groups: Sequence[Group], *, all_won: bool) -> Rating:
    """The rating at which so much luck, in each group once, has a chance of 2.5 %."""
    theirs = [group[0][0] for group in groups]
    luck = math.log((1 - CONFIDENCE) / 2)
    if all_won:
        low = _root(lambda mine: luck - sum(math.log(expected(mine - other)) for other in theirs))
        return Rating(None, low, None)
    high = _root(lambda mine: sum(math.log(expected(other - mine)) for other in theirs) - luck)
    return Rating(None, None, high)


def _root(falling: Callable[[float], float]) -> float:
    """Where a function that falls from the lowest to the highest rating is 0."""
    low, high = LOWEST, HIGHEST
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2
