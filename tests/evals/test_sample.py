"""Positions that nets are measured on."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.corpus.sample.corpora import build_mixed
from zeroply.corpus.sample.movers import Movers, sampled_plies
from zeroply.corpus.score import Split
from zeroply.evals.positions import Sample


def test_nets_are_measured_on_positions_that_could_be_learnt(tmp_path: Path) -> None:
    """Not where somebody's move only led to a position that an engine judged, or to a puzzle."""
    corpus = build_mixed(tmp_path)
    games = corpus.games_in(Split.train)
    plies = sampled_plies(corpus, games, Movers.both)
    sample = Sample(corpus, Split.train)
    assert sample.n == plies.count.sum() < corpus.lengths_of(games).sum()
    batches = list(sample.batches(2))
    seen = np.concatenate([batch["game"] for batch in batches])
    assert dict(zip(*np.unique(seen, return_counts=True), strict=True)) == {
        int(game): int(count) for game, count in zip(games, plies.count, strict=True) if count
    }
    labels = games[corpus.past[games] > 0]
    assert len(labels)
    assert all((batch["evaluation"][np.isin(batch["game"], labels)] > -32768).all() for batch in batches)
    cut = Sample(corpus, Split.train, limit=100)
    np.testing.assert_array_equal(
        np.concatenate([batch["move"] for batch in cut.batches(0)]),
        np.concatenate([batch["move"] for batch in batches])[:100],
    )
