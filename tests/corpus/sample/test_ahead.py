"""Blocks made in a thread, one ahead: the same rows, and nothing made that nobody will ask for."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from threading import Event

import numpy as np
import pytest
import torch

from tests.corpus.sample.corpora import BATCH, batches, build_sample, draw
from zeroply.corpus.sample.ahead import Workers, one_ahead
from zeroply.corpus.sample.mixing import Batches
from zeroply.corpus.sample.shuffle import SMALL, Block, Shuffle, Stream
from zeroply.corpus.store import Corpus

TOLD = [*range(60), 5, 1000, 6]
"""Batches asked for in order, and some that nobody would expect next."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return build_sample(tmp_path_factory.mktemp("corpus"))


@pytest.fixture
def thread() -> Iterator[Executor]:
    with ThreadPoolExecutor(1) as thread:
        yield thread


def assert_same_rows(found: Batches, corpus: Corpus) -> None:
    alone = batches(draw(corpus))
    for k in TOLD:
        expected = alone[k]
        for name, column in found[k].items():
            np.testing.assert_array_equal(torch.as_tensor(column).cpu(), expected[name], err_msg=name)


def test_a_thread_changes_nothing(corpus: Corpus, thread: Executor) -> None:
    shuffle = Shuffle(draw(corpus), np.empty(0))
    stream = Stream(shuffle, one_ahead(shuffle.first, thread))
    assert_same_rows(Batches([stream], [1.0], batch=BATCH, history=3), corpus)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
@pytest.mark.parametrize("small", [0, SMALL], ids=["by the GPU", "by NumPy, and moved"])
def test_a_side_stream_changes_nothing(corpus: Corpus, small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zeroply.corpus.sample.shuffle.SMALL", small)
    with Workers(0) as workers:
        stream = workers.stream(Shuffle(draw(corpus), torch.empty(0, device="cuda")))
        assert_same_rows(Batches([stream], [1.0], batch=BATCH, history=3), corpus)


def test_the_next_block_is_made_while_one_is_used_and_none_after_the_last(
    corpus: Corpus, thread: Executor
) -> None:
    shuffle = Shuffle(draw(corpus), np.empty(0))
    made, begun = [], {number: Event() for number in range(5)}

    def make(numbers: range) -> Block:
        made.append(numbers[0])
        begun[numbers[0]].set()
        return shuffle.first(numbers)

    stream = Stream(shuffle, one_ahead(make, thread))
    stream.expect(2 * shuffle.size + 1)  # a row of the third block
    stream.take(0, 1, 0)
    assert begun[1].wait(60)
    for row in range(0, 2 * shuffle.size + 1, shuffle.size):
        stream.take(row, row + 1, 0)
    thread.shutdown()
    assert made == [0, 1, 2]


def test_an_error_comes_where_the_block_is_asked_for(corpus: Corpus, thread: Executor) -> None:
    shuffle = Shuffle(draw(corpus), np.empty(0))

    def make(numbers: range) -> Block:
        if numbers[0] == 1:
            raise OSError("the disk is gone")
        return shuffle.first(numbers)

    stream = Stream(shuffle, one_ahead(make, thread))
    stream.take(0, shuffle.size, 0)
    with pytest.raises(OSError, match="the disk is gone"):
        stream.take(shuffle.size, shuffle.size + 1, 0)
