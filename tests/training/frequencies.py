"""What one who only counts would lose: the least that a net has to learn."""

from __future__ import annotations

import numpy as np

from zeroply.corpus.replay import replay_games
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.evals.frequencies import Frequencies
from zeroply.games import Rows


def frequency_baseline(corpus: Corpus, looked_at: Rows | None = None) -> float:
    """NLL of the validation moves, or of rows of them that are looked at, if each were as likely as among the
    training moves of its side: who moves is no secret to a net."""
    if looked_at is None:
        games = replay_games(corpus, corpus.games_in(Split.validation), np.empty(0))
        looked_at = {**games.state, "move": games.moves}
    counted = Frequencies.count(corpus, [looked_at], seed=0)
    (share, _), _, _ = counted.judge(looked_at, np.asarray(looked_at["move"], np.int64))
    return float(-share.mean())
