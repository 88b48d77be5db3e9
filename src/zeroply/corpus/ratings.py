"""Who plays in some corpora, and how strong they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zeroply.corpus.score import Kind
from zeroply.corpus.store import Corpus
from zeroply.corpus.told import UNRATED

AMONG = 0.99
"""The strongest is the one whom so many of his kind do not surpass: a net cannot learn from a handful."""


def strongest(corpora: Sequence[Corpus]) -> dict[str, int]:
    """For each kind of player that there is, by name, the rating of the strongest; UNRATED if none has
    one."""
    kinds = np.concatenate([corpus.kinds for corpus in corpora])
    ratings = np.concatenate([corpus.ratings for corpus in corpora])
    found = {}
    for kind in Kind:
        own = ratings[kinds == kind]
        known = own[own != UNRATED]
        if len(own):
            found[kind.name] = int(np.quantile(known, AMONG, method="lower")) if len(known) else UNRATED
    return found
