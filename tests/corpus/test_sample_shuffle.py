"""Batches: each position once an epoch, and batch k known from the seed and k alone, workers or none."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.corpus.sampled import BATCH, batches, build_mixed, build_sample, places, source
from zeroply.corpus.ahead import Workers
from zeroply.corpus.batches import PERIOD, Batches, rows_before_repeats
from zeroply.corpus.choice import Positions, Sampling, choose
from zeroply.corpus.movers import Movers
from zeroply.corpus.score import Split
from zeroply.corpus.shuffle import Shuffle, Stream
from zeroply.corpus.store import Corpus
from zeroply.errors import ArtefactError

SAMPLINGS = [Sampling(movers=Movers.winner), *(Sampling(positions=positions) for positions in Positions)]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return build_mixed(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return build_sample(tmp_path_factory.mktemp("corpus"))


@pytest.mark.parametrize("sampling", SAMPLINGS, ids=str)
@pytest.mark.parametrize("split", [Split.train, Split.validation])
def test_an_epoch_holds_exactly_the_chosen_positions(
    corpus: Corpus, sampling: Sampling, split: Split
) -> None:
    shuffle = Shuffle(source(corpus, sampling, split=split), np.empty(0))
    stream = Stream(shuffle)
    games, choice = corpus.games_in(split), choose(corpus, sampling, 1, np.empty(0))
    for epoch in range(2):
        begin = epoch * stream.epoch
        seen = [
            place for piece in stream.take(begin, begin + stream.epoch, 0) for place in places(piece, corpus)
        ]
        index = choice.index(np.arange(len(corpus)), epoch)
        owner = np.searchsorted(corpus.offsets, index, side="right") - 1
        assert sorted(seen) == index[np.isin(owner, games)].tolist()
    assert shuffle.blocks > 1 or split is Split.validation


@pytest.mark.parametrize("sampling", SAMPLINGS, ids=str)
def test_batch_k_does_not_depend_on_what_was_read_before(corpus: Corpus, sampling: Sampling) -> None:
    straight, sprung = batches(source(corpus, sampling)), batches(source(corpus, sampling))
    wanted = Shuffle(source(corpus, sampling), np.empty(0)).positions // BATCH + 3  # in the second epoch
    for k in range(wanted):
        assert len(straight[k]["move"]) == BATCH
    expected = straight[wanted]
    for name, column in sprung[wanted].items():
        np.testing.assert_array_equal(column, expected[name])


def test_seeds_and_epochs_shuffle_anew(corpus: Corpus) -> None:
    one, other = batches(source(corpus)), batches(source(corpus, seed=2))
    next_epoch = Stream(Shuffle(source(corpus), np.empty(0)))
    first = places(one[0], corpus)
    assert first != places(other[0], corpus)
    (piece,) = next_epoch.take(next_epoch.epoch, next_epoch.epoch + BATCH, 0)
    assert first != places(piece, corpus)


def test_a_block_mixes_its_runs(corpus: Corpus) -> None:
    rows = batches(source(corpus, block=2**22))[0]
    assert len(set(rows["game"].tolist())) > BATCH // 3


def test_rows_are_the_corpus_s_own_with_their_past(corpus: Corpus) -> None:
    rows = batches(source(corpus))[5]
    for row, place in enumerate(places(rows, corpus)):
        game = rows["game"][row]
        first = max(place - 3, corpus.offsets[game])
        before = [-1] * (3 - (place - first)) + corpus.moves[first:place].tolist()
        assert rows["past"][row].tolist() == before
        assert rows["move"][row] == corpus.moves[place]


def test_a_batch_can_be_changed_without_harm(corpus: Corpus) -> None:
    source_of = batches(source(corpus))
    before = source_of[0]["board"].copy()
    source_of[0]["board"][:] = 99
    np.testing.assert_array_equal(source_of[0]["board"], before)


@pytest.mark.parametrize("sampling", SAMPLINGS, ids=str)
def test_numpy_and_torch_agree(corpus: Corpus, sampling: Sampling) -> None:
    ours, theirs = batches(source(corpus, sampling)), batches(source(corpus, sampling), place=torch.empty(0))
    for k in (0, 1, 30):
        batch = theirs[k]
        for name, column in ours[k].items():
            np.testing.assert_array_equal(column, batch[name].numpy(), err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize("place", [np.empty(0), torch.empty(0)], ids=["numpy", "torch"])
def test_workers_change_nothing(corpus: Corpus, place: np.ndarray | torch.Tensor) -> None:
    sources = [source(corpus), source(corpus, Sampling(positions=Positions.subsequences))]
    alone = batches(*sources, weights=[2, 1], place=place)
    with Workers(2) as workers:
        streams = [workers.stream(one, place) for one in sources]
        helped = Batches(streams, [2, 1], batch=BATCH, history=3)
        for k in [*range(60), 5, 1000]:
            expected = alone[k]
            for name, column in helped[k].items():
                assert type(column) is type(place)
                np.testing.assert_array_equal(np.asarray(column), np.asarray(expected[name]), err_msg=name)


@settings(max_examples=60, deadline=None)
@given(
    weights=st.lists(st.floats(0.001, 100), min_size=1, max_size=6),
    batch=st.integers(1, 3000),
    k=st.integers(0, 10**6),
)
def test_every_batch_is_full_and_shares_are_right(weights: list[float], batch: int, k: int) -> None:
    mixed = Batches([], weights, batch=batch, history=0)
    exact = batch * np.array(weights) / sum(weights)
    before, after = np.array(mixed.before(k)), np.array(mixed.before(k + 1))
    assert (after - before).sum() == batch
    assert (np.abs(after - before - exact) < 1 + 1e-6).all()  # its share, rounded down or up
    assert before.sum() == batch * k
    assert np.abs(before - k * exact).max() <= (1 + k / PERIOD) + 12  # exact to a row in PERIOD batches


def test_a_mixture_takes_each_corpus_by_weight_through_epochs_of_its_own(
    corpus: Corpus, sample: Corpus
) -> None:
    mixed = batches(source(corpus), source(sample), weights=[1.0, 3.0])
    alone = Stream(Shuffle(source(sample), np.empty(0)))
    assert alone.epoch < 400 * 48
    rows = [mixed[k] for k in range(400)]
    assert {len(batch["move"]) for batch in rows} == {BATCH}
    own = {name: np.concatenate([batch[name][16:] for batch in rows]) for name in ("game", "ply")}
    counts = Counter(places(own, sample)[: alone.epoch])
    assert set(counts.values()) == {1}
    assert len(counts) == alone.epoch


def test_a_mixture_of_weights_that_do_not_divide_the_batch(corpus: Corpus, sample: Corpus) -> None:
    mixed = batches(source(corpus), source(sample), weights=[1.0, 2.0])
    before = mixed.before(1)
    (first,) = Stream(Shuffle(source(sample), np.empty(0))).take(0, before[1], 3)
    for name, column in first.items():
        np.testing.assert_array_equal(mixed[0][name][before[0] :], column)


def test_rows_before_repeats(corpus: Corpus, sample: Corpus) -> None:
    streams = [Stream(Shuffle(source(one), np.empty(0))) for one in (corpus, sample)]
    assert rows_before_repeats(streams[:1], [5.0]) == streams[0].epoch
    assert rows_before_repeats(streams, [1.0, 9.0]) == int(streams[1].epoch / 0.9)


def test_a_split_without_positions_is_explained(corpus: Corpus) -> None:
    with pytest.raises(ArtefactError, match="no positions to sample in its test part"):
        Shuffle(source(corpus, split=Split.test), np.empty(0))
