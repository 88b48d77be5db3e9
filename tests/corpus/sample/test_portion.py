"""Batches shared out to processes: every row to one of them, in the batch's order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.corpus.sample.corpora import BATCH, build_sample, draw
from zeroply.corpus.sample.mixing import Batches
from zeroply.corpus.sample.portion import Portion
from zeroply.corpus.sample.shuffle import Shuffle, Stream
from zeroply.corpus.store import Corpus


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return build_sample(tmp_path_factory.mktemp("corpus"))


@given(rows=st.integers(0, 5000), of=st.integers(1, 64))
def test_portions_meet_and_are_alike(rows: int, of: int) -> None:
    bounds = [Portion(rank, of).bounds(rows) for rank in range(of)]
    assert [low for low, _ in bounds] == [0, *(high for _, high in bounds[:-1])]
    assert bounds[-1][1] == rows
    sizes = {high - low for low, high in bounds}
    assert max(sizes) - min(sizes) <= (rows % of > 0)


@settings(max_examples=20, deadline=None)
@given(
    k=st.integers(0, 300), of=st.sampled_from([1, 2, 3, 8, 64, 100]), weight=st.sampled_from([0.0, 0.4, 3.0])
)
def test_portions_end_to_end_are_the_batch(corpus: Corpus, k: int, of: int, weight: float) -> None:
    """Of one stream or two, across blocks and epochs; with more processes than rows too."""
    streams = [Stream(Shuffle(draw(corpus, seed=seed), np.empty(0))) for seed in (1, 2)]
    count = 2 if weight else 1
    drawn = Batches(streams[:count], [1.0, weight][:count], batch=BATCH, history=3)
    portions = [drawn.portion(k, Portion(rank, of)) for rank in range(of)]
    for name, column in drawn[k].items():
        together = np.concatenate([portion[name] for portion in portions])
        assert together.dtype == column.dtype
        np.testing.assert_array_equal(together, column, err_msg=name)
