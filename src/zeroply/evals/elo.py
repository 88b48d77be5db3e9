"""From points to an Elo difference with a 95 % interval, by closed forms.

Games from one opening are not independent: the same two players met on the same board. So the spread is taken
over openings, not games; with two games an opening that is the variance of the pentanomial (0, ½, 1, 1½, 2).
With few openings that spread is itself uncertain, which Student's t allows for; it shrinks towards 0 and 1,
as Wilson's does; and what has not happened yet still may, so that no interval is narrower than if all had
ended alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from zeroply.evals.intervals import CONFIDENCE, score_interval
from zeroply.evals.student import t_below, t_within


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What a match tells. Elo is None where the score is 0 or 1: no finite difference explains that."""

    score: float
    score_low: float
    score_high: float
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    los: float
    """Likelihood of superiority: how likely the first player is the better one."""


def elo_of(score: float) -> float | None:
    """The difference in rating at which a share of `score` of the points is expected."""
    return None if score <= 0 or score >= 1 else 400 * math.log10(score / (1 - score))


def expected(difference: float) -> float:
    """The share of the points at a difference in rating: what `elo_of` undoes."""
    return 1 / (1 + 10 ** (-difference / 400))


def estimate(groups: Sequence[Sequence[float]]) -> Estimate:
    """`groups` holds the points (1, ½, 0) of each game, together those that share an opening."""
    count = sum(len(group) for group in groups)
    score = sum(sum(group) for group in groups) / count
    residuals = [sum(group) - score * len(group) for group in groups]
    low, high, los = _all_alike(score, len(groups))
    if max(map(abs, residuals)) > 1e-9:
        freedom = len(groups) - 1
        error = math.sqrt(len(groups) / freedom * sum(residual**2 for residual in residuals)) / count
        likely = t_within(CONFIDENCE, freedom) * error
        lowest, highest = score_interval(score, likely**2 / (score * (1 - score)))
        low, high = min(low, lowest), max(high, highest)
        los = min(los, t_below((score - 0.5) / error, freedom), key=lambda one: abs(one - 0.5))
    return Estimate(
        score=score,
        score_low=low,
        score_high=high,
        elo=elo_of(score),
        elo_low=elo_of(low),
        elo_high=elo_of(high),
        los=los,
    )


def _all_alike(score: float, groups: int) -> tuple[float, float, float]:
    """Low, high and LOS where all openings ended alike (all won, say): the sample shows no spread at all.
    Nobody else knows more: else one of 50 openings not wholly won would raise what the others prove.

    What never happened in n openings still has, with 95 % confidence, a chance of up to 1 - 0.025^(1/n)
    (about 3.7/n), and might then have brought all the points or none. LOS as if each opening were one game.
    """
    unseen = 1 - ((1 - CONFIDENCE) / 2) ** (1 / groups)
    low, high = score * (1 - unseen), score * (1 - unseen) + unseen
    sign = (score > 0.5) - (score < 0.5)
    return low, min(1.0, high), NormalDist().cdf(sign * math.sqrt(groups))
