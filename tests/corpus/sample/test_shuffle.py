"""Batches: each position once an epoch, and batch k known from the seed and k alone, workers or none."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.corpus.sample.corpora import BATCH, batches, build_mixed, build_sample, draw, places
from zeroply.artefacts import write_json
from zeroply.corpus.flaws import OPTIONAL
from zeroply.corpus.sample.ahead import Workers
from zeroply.corpus.sample.choice import Positions, Sampling, choose
from zeroply.corpus.sample.labelled import Labelled
from zeroply.corpus.sample.mixing import PERIOD, Batches, rows_before_repeats
from zeroply.corpus.sample.movers import Movers
from zeroply.corpus.sample.shuffle import BLOCK, RUNS, SMALL, Block, Draw, Shuffle, Stream
from zeroply.corpus.score import Kind, Split
from zeroply.corpus.store import Corpus
from zeroply.errors import ArtefactError
from zeroply.games.base import Array

SAMPLINGS = [Sampling(movers=Movers.winner), *(Sampling(positions=positions) for positions in Positions)]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return build_mixed(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return build_sample(tmp_path_factory.mktemp("corpus"))


@pytest.mark.slow
@pytest.mark.parametrize("sampling", SAMPLINGS, ids=str)
@pytest.mark.parametrize("split", [Split.train, Split.validation])
def test_an_epoch_holds_exactly_the_chosen_positions(
    corpus: Corpus, sampling: Sampling, split: Split
) -> None:
    shuffle = Shuffle(draw(corpus, sampling, split=split), np.empty(0))
    stream = Stream(shuffle)
    games, choice = corpus.games_in(split), choose(corpus, sampling, 1, np.empty(0))
    for epoch in range(2):
        begin = epoch * stream.epoch
        seen = [
            place for piece in stream.take(begin, begin + stream.epoch, 0) for place in places(piece, corpus)
        ]
        index = choice.index(np.arange(len(corpus)), epoch).at
        owner = np.searchsorted(corpus.offsets, index, side="right") - 1
        assert sorted(seen) == index[np.isin(owner, games)].tolist()
    assert shuffle.blocks > 1 or split is Split.validation


@pytest.mark.parametrize("sampling", SAMPLINGS, ids=str)
def test_batch_k_does_not_depend_on_what_was_read_before(corpus: Corpus, sampling: Sampling) -> None:
    straight, sprung = batches(draw(corpus, sampling)), batches(draw(corpus, sampling))
    wanted = Shuffle(draw(corpus, sampling), np.empty(0)).positions // BATCH + 3  # in the second epoch
    for k in range(wanted):
        assert len(straight[k]["move"]) == BATCH
    expected = straight[wanted]
    for name, column in sprung[wanted].items():
        np.testing.assert_array_equal(column, expected[name])


def test_seeds_and_epochs_shuffle_anew(corpus: Corpus) -> None:
    one, other = batches(draw(corpus)), batches(draw(corpus, seed=2))
    next_epoch = Stream(Shuffle(draw(corpus), np.empty(0)))
    first = places(one[0], corpus)
    assert first != places(other[0], corpus)
    (piece,) = next_epoch.take(next_epoch.epoch, next_epoch.epoch + BATCH, 0)
    assert first != places(piece, corpus)


def test_a_block_mixes_its_runs(corpus: Corpus) -> None:
    rows = batches(draw(corpus, block=2**22))[0]
    assert len(set(rows["game"].tolist())) > BATCH // 3


def test_rows_are_the_corpus_s_own_with_their_past(corpus: Corpus) -> None:
    rows = batches(draw(corpus))[5]
    for row, place in enumerate(places(rows, corpus)):
        game = rows["game"][row]
        first = max(place - 3, corpus.offsets[game])
        before = [-1] * (3 - (place - first)) + corpus.moves[first:place].tolist()
        assert rows["past"][row].tolist() == before
        assert rows["move"][row] == corpus.moves[place]


def test_a_batch_that_is_changed_harms_no_other(corpus: Corpus) -> None:
    drawn = batches(draw(corpus))
    before = drawn[1]["board"].copy()
    drawn[0]["board"][:] = 99
    np.testing.assert_array_equal(drawn[1]["board"], before)


def test_batches_are_the_same_however_many_rows_are_taken_out_at_a_time(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [0, 1, 2, 7, 1, 400]
    paged = [batches(draw(corpus))[k] for k in numbers]
    in_turn = batches(draw(corpus))
    monkeypatch.setattr("zeroply.corpus.sample.shuffle.PAGE", 1)
    one_by_one = batches(draw(corpus))
    for k, expected in zip(numbers, paged, strict=True):
        for found in (in_turn[k], one_by_one[k]):
            for name, column in expected.items():
                np.testing.assert_array_equal(found[name], column)


@pytest.mark.slow
@pytest.mark.parametrize("small", [0, SMALL], ids=["by torch", "by NumPy, and moved"])
@pytest.mark.parametrize("sampling", SAMPLINGS, ids=str)
def test_numpy_and_torch_agree(
    corpus: Corpus, sampling: Sampling, small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever a block is replayed."""
    monkeypatch.setattr("zeroply.corpus.sample.shuffle.SMALL", small)
    ours, theirs = batches(draw(corpus, sampling)), batches(draw(corpus, sampling), place=torch.empty(0))
    for k in (0, 1, 30):
        batch = theirs[k]
        for name, column in ours[k].items():
            assert str(column.dtype) == str(batch[name].dtype).removeprefix("torch.")
            np.testing.assert_array_equal(column, batch[name].numpy(), err_msg=name)


def test_small_blocks_are_replayed_by_numpy(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """A block is small by itself, or because the corpus is: every epoch is then replayed anew."""
    replayed = []

    def replay(corpus: Corpus, games: NDArray[np.int64], place: Array) -> Labelled:
        replayed.append(type(place))
        return usual(corpus, games, place)

    usual = Labelled.replay
    monkeypatch.setattr(Labelled, "replay", replay)
    plies = int(corpus.lengths_of(corpus.games_in(Split.train)).sum())
    for block, small in ((1000, 1000), (1001, 1000), (BLOCK, plies), (BLOCK, plies - 1)):
        monkeypatch.setattr("zeroply.corpus.sample.shuffle.SMALL", small)
        made = Shuffle(draw(corpus, block=block), torch.empty(0)).block(0)
        assert {type(column) for column in made.columns()} == {torch.Tensor}
    assert replayed == [np.ndarray, torch.Tensor] * 2


@pytest.mark.slow
@pytest.mark.parametrize("place", [np.empty(0), torch.empty(0)], ids=["numpy", "torch"])
def test_workers_change_nothing(corpus: Corpus, place: np.ndarray | torch.Tensor) -> None:
    draws = [draw(corpus), draw(corpus, Sampling(positions=Positions.subsequences))]
    alone = batches(*draws, weights=[2, 1], place=place)
    with Workers(2) as workers:
        streams = [workers.stream(Shuffle(one, place)) for one in draws]
        helped = Batches(streams, [2, 1], batch=BATCH, history=3)
        for k in [*range(60), 5, 1000]:
            expected = alone[k]
            for name, column in helped[k].items():
                assert type(column) is type(place)
                np.testing.assert_array_equal(np.asarray(column), np.asarray(expected[name]), err_msg=name)


@settings(max_examples=60)
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
    mixed = batches(draw(corpus), draw(sample), weights=[1.0, 3.0])
    alone = Stream(Shuffle(draw(sample), np.empty(0)))
    assert alone.epoch < 400 * 48
    rows = [mixed[k] for k in range(400)]
    assert {len(batch["move"]) for batch in rows} == {BATCH}
    own = {name: np.concatenate([batch[name][16:] for batch in rows]) for name in ("game", "ply")}
    counts = Counter(places(own, sample)[: alone.epoch])
    assert set(counts.values()) == {1}
    assert len(counts) == alone.epoch


def test_a_mixture_of_weights_that_do_not_divide_the_batch(corpus: Corpus, sample: Corpus) -> None:
    mixed = batches(draw(corpus), draw(sample), weights=[1.0, 2.0])
    before = mixed.before(1)
    (first,) = Stream(Shuffle(draw(sample), np.empty(0))).take(0, before[1], 3)
    for name, column in first.items():
        np.testing.assert_array_equal(mixed[0][name][before[0] :], column)


def test_rows_before_repeats(corpus: Corpus, sample: Corpus) -> None:
    streams = [Stream(Shuffle(draw(one), np.empty(0))) for one in (corpus, sample)]
    assert rows_before_repeats(streams[:1], [5.0]) == streams[0].epoch
    assert rows_before_repeats(streams, [1.0, 9.0]) == int(streams[1].epoch / 0.9)


def test_a_split_without_positions_is_explained(corpus: Corpus) -> None:
    with pytest.raises(ArtefactError, match="no positions to sample in its test part"):
        Shuffle(draw(corpus, split=Split.test), np.empty(0))


def one_move_games(corpus: Corpus, games: int) -> None:
    """Instead of a corpus's own games: the first move from a position, so many times."""
    own = int(np.flatnonzero(corpus.starts >= 0)[0])
    for name in ("ratings", "years"):
        np.save(corpus.path / f"{name}.npy", corpus.array(name)[[own] * games])
    for name, value in (("results", 1), ("kinds", Kind.human), ("splits", Split.train)):
        np.save(corpus.path / f"{name}.npy", np.full(games, value, np.uint8))
    packed, move = corpus.positions[[corpus.starts[own]] * games], corpus.moves[corpus.offsets[own]]
    np.save(corpus.path / "positions.npy", packed)
    np.save(corpus.path / "starts.npy", np.arange(games, dtype=np.int32))
    np.save(corpus.path / "moves.npy", np.full(games, move, np.uint16))
    np.save(corpus.path / "offsets.npy", np.arange(games + 1))
    for name in OPTIONAL:
        (corpus.path / f"{name}.npy").unlink(missing_ok=True)
    told = {"games": games, "plies": games, "positions": games}
    write_json(corpus.path / "manifest.json", {**corpus.manifest, **told, **dict.fromkeys(OPTIONAL, 0)})


@pytest.mark.parametrize("movers", Movers)
def test_opening_takes_memory_for_few_games_at_a_time(movers: Movers, tmp_path: Path) -> None:
    """Positions with one move each, as Lichess publishes its evaluations: many games."""
    corpus = build_mixed(tmp_path)
    one_move_games(corpus, 300_000)
    tracemalloc.start()
    try:
        shuffle = Shuffle(
            Draw(path=corpus.path, split=Split.train, sampling=Sampling(movers=movers)), np.empty(0)
        )
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert shuffle.positions == 300_000
    assert peak < 8 * 2**20


def test_a_larger_block_comes_from_more_places() -> None:
    parts = [Draw(path=Path("corpus"), split=Split.train, block=block) for block in (BLOCK, 8 * BLOCK)]
    assert parts[0].run == parts[1].run


def test_a_smaller_block_has_shorter_runs_from_as_many_places() -> None:
    for block in (BLOCK, BLOCK // 100, 5000):
        part = Draw(path=Path("corpus"), split=Split.train, block=block)
        assert block // part.run in (RUNS, RUNS + 1, RUNS + 2, RUNS + 3)
    assert Draw(path=Path("corpus"), split=Split.train, block=3).run == 1


class Recorded(Workers):
    """Makes blocks at once, and notes which."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.made: list[int] = []
        self._pool = self  # type: ignore[assignment]

    def submit(self, work: Callable[..., Block], part: Draw, number: int) -> Future[Block]:
        self.made.append(number)
        done: Future[Block] = Future()
        done.set_result(work(part, number))
        return done

    def shutdown(self, **_: object) -> None: ...


def test_no_block_is_made_that_nobody_will_ask_for(corpus: Corpus) -> None:
    shuffle = Shuffle(draw(corpus), np.empty(0))
    steps = 2 * shuffle.size // BATCH  # in the first two blocks
    assert shuffle.blocks > 4
    with Recorded(3) as workers:
        batches_of = Batches([workers.stream(shuffle)], [1.0], batch=BATCH, history=3, steps=steps)
        for k in range(steps):
            batches_of[k]
        assert workers.made == [0, 1]
        endless = Batches([workers.stream(shuffle)], [1.0], batch=BATCH, history=3)
        endless[0]
        assert workers.made[2:] == [0, 1, 2, 3]


def test_blocks_in_waiting_are_bounded() -> None:
    with Workers(1000) as workers:
        assert workers.count == 8
