"""Who plays in some corpora, and how strong they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.score import Kind
from zeroply.corpus.store import Corpus
from zeroply.corpus.told import UNRATED

AMONG = 0.99
"""The strongest is the one whom so many of his kind do not surpass: a net cannot learn from a handful."""
ROUND = 50
"""Ratings that a net is said to know end at multiples of it."""


def strongest(weighted: Sequence[tuple[Corpus, float]]) -> dict[str, int]:
    """For each kind of player in corpora of these weights, by name, the rating of the strongest; UNRATED if
    most have none, since that is what a net is then mostly told of them."""
    found = {}
    for kind in Kind:
        own = [(corpus.ratings[corpus.kinds == kind], weight / len(corpus)) for corpus, weight in weighted]
        rated = [ratings[ratings != UNRATED] for ratings, _ in own]
        many = sum(ratings.size * weight for ratings, weight in own)
        known = sum(ratings.size * weight for ratings, (_, weight) in zip(rated, own, strict=True))
        if many:
            most_known = 2 * known >= many
            found[kind.name] = _quantile(np.concatenate(rated), AMONG) if most_known else UNRATED
    return found


def people_between(corpora: Sequence[Corpus]) -> tuple[int, int] | None:
    """Two ratings between which nearly all people in these corpora are; None if nobody knows theirs."""
    ratings = np.concatenate([corpus.ratings[corpus.kinds == Kind.human] for corpus in corpora])
    known = ratings[ratings != UNRATED]
    if not len(known):
        return None
    low, high = _quantile(known, 1 - AMONG), _quantile(known, AMONG)
    return low // ROUND * ROUND, -(-high // ROUND) * ROUND


def _quantile(ratings: NDArray[np.uint16], share: float) -> int:
    return int(np.quantile(ratings, share, method="lower"))
