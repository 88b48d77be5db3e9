"""What one who only counts would lose: the least that a net has to learn."""

from __future__ import annotations

import numpy as np

from zeroply.corpus.sample.ahead import Workers
from zeroply.corpus.sample.choice import Sampling
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.evals.frequencies import Frequencies
from zeroply.games import Rows
from zeroply.training.mixture import Mixture


def looked_at(corpus: Corpus, sampling: Sampling) -> Rows:
    """The rows of the validation part by which a run with this sampling is judged."""
    with Workers(0) as workers:
        lessons = (
            Mixture.open([(corpus.path, 1.0)])
            .sampled(sampling)
            .batches(
                Split.validation,
                batch=10**6,
                history=0,
                seed=0,
                place=np.empty(0),
                workers=workers,
                steps=lambda epoch: epoch,
            )
        )
        assert lessons.steps == 1
        return lessons.batches[0]


def frequency_baseline(corpus: Corpus, rows: Rows) -> float:
    """NLL of the moves of validation rows if each were as likely as among the training moves of its side: who
    moves is no secret to a net."""
    counted = Frequencies.count(corpus, [rows], seed=0)
    (share, _), _, _ = counted.judge(rows, np.asarray(rows["move"], np.int64))
    return float(-share.mean())
