"""Which positions an epoch has: all, all different ones, or seed 000's few of each game."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.corpus.sample.corpora import build_mixed
from tests.sources import CHESS
from zeroply.corpus.build import build
from zeroply.corpus.replay import replay_games
from zeroply.corpus.sample import occurrences as counting
from zeroply.corpus.sample.buckets import Buckets
from zeroply.corpus.sample.choice import Choice, Positions, Sampling, Subsequences, choose
from zeroply.corpus.sample.movers import Movers, sampled_plies
from zeroply.corpus.sample.occurrences import occurrences
from zeroply.corpus.sample.shuffle import Draw, Shuffle, Stream
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.errors import ArtefactError, DiskFullError

SAMPLINGS = [Sampling(movers=movers, positions=positions) for movers in Movers for positions in Positions]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return build_mixed(tmp_path_factory.mktemp("corpus"))


def of_movers(corpus: Corpus, movers: Movers) -> set[int]:
    plies = sampled_plies(corpus, np.arange(len(corpus)), movers)
    return {
        int(begin + first + step * number)
        for begin, first, step, count in zip(
            corpus.offsets[:-1], plies.first, plies.step, plies.count, strict=True
        )
        for number in range(count)
    }


def chosen(corpus: Corpus, choice: Choice, epoch: int) -> list[int]:
    found: list[int] = choice.index(np.arange(len(corpus)), epoch).at.tolist()
    return found


@pytest.mark.parametrize("sampling", SAMPLINGS, ids=str)
def test_laws_of_every_choice(corpus: Corpus, sampling: Sampling) -> None:
    choice = choose(corpus, sampling, 5, np.empty(0))
    everything = np.arange(len(corpus))
    for epoch in range(4):
        found = choice.index(everything, epoch)
        index = found.at
        assert (np.diff(index) > 0).all()
        assert set(index.tolist()) <= of_movers(corpus, sampling.movers)
        owner = np.searchsorted(corpus.offsets, index, side="right") - 1
        assert (found.since >= corpus.offsets[owner]).all()
        assert (found.since <= index).all()
        if sampling.positions is not Positions.subsequences:
            np.testing.assert_array_equal(found.since, corpus.offsets[owner])
        np.testing.assert_array_equal(
            choice.counts(everything, epoch), np.bincount(owner, minlength=len(corpus))
        )
        for split in (Split.train, Split.validation):
            games = corpus.games_in(split)
            assert choice.counts(games, epoch).sum() == choice.counts(games, 0).sum() > 0


@pytest.mark.slow
@settings(max_examples=30)
@given(data=st.data())
@pytest.mark.parametrize("sampling", SAMPLINGS, ids=str)
def test_a_game_is_sampled_alike_in_any_company(
    corpus: Corpus, sampling: Sampling, data: st.DataObject
) -> None:
    seed, epoch = data.draw(st.integers(0, 2**32 - 1)), data.draw(st.integers(0, 1000))
    games = np.array(
        data.draw(st.lists(st.integers(0, len(corpus) - 1), min_size=1, max_size=9, unique=True))
    )
    choice = choose(corpus, sampling, seed, np.empty(0))
    begin = np.cumsum(corpus.lengths_of(games)) - corpus.lengths_of(games)
    together, alone = choice.index(games, epoch), [choice.index(np.array([game]), epoch) for game in games]
    for name in ("at", "since"):
        moved = [first + getattr(one, name) for first, one in zip(begin, alone, strict=True)]
        assert getattr(together, name).tolist() == np.concatenate(moved).tolist()


def test_all_is_all(corpus: Corpus) -> None:
    for movers in Movers:
        choice = choose(corpus, Sampling(movers=movers), 0, np.empty(0))
        assert set(chosen(corpus, choice, 3)) == of_movers(corpus, movers)


@pytest.fixture(scope="module")
def keys(corpus: Corpus) -> list[str]:
    """What makes each position the same for the repetition rules, in python-chess's words."""
    found = []
    first = replay_games(corpus, np.arange(len(corpus)), np.empty(0))
    for begin, end in zip(corpus.offsets[:-1], corpus.offsets[1:], strict=True):
        if begin == end:
            continue
        board = chess.Board(CHESS.restore(first.take(np.array([begin]), 0)).fen())
        for move in corpus.moves[begin:end]:
            found.append(board.epd(en_passant="legal"))
            board.push_uci(CHESS.moves.names[move])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("movers", Movers)
@pytest.mark.parametrize("rounds", [1, 7])
def test_occurrences_are_python_chess_s(
    corpus: Corpus, keys: list[str], movers: Movers, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for old in corpus.path.glob("occurrences-*.npy"):
        old.unlink()
    monkeypatch.setattr(counting, "KEYS_AT_ONCE", 1 + len(corpus.moves) // rounds)
    monkeypatch.setattr(counting, "AT_ONCE", 1000)
    found = occurrences(corpus, movers, np.empty(0))
    split_of = np.repeat(corpus.splits, np.diff(corpus.offsets))
    counted = of_movers(corpus, movers)
    groups = defaultdict(list)
    for place, key in enumerate(keys):
        if place in counted:
            groups[split_of[place], key].append(place)
        else:
            assert found[place].tolist() == [0, 0]
    assert max(map(len, groups.values())) > 50
    for places in groups.values():
        assert sorted(found[places, 0]) == list(range(len(places)))
        assert set(found[places, 1]) == {len(places)}


def test_unique_takes_each_position_once_and_each_occurrence_in_turn(corpus: Corpus, keys: list[str]) -> None:
    train = set(np.flatnonzero(np.repeat(corpus.splits, np.diff(corpus.offsets)) == Split.train))
    counted = of_movers(corpus, Movers.both) & train
    choice = choose(corpus, Sampling(positions=Positions.unique), 3, np.empty(0))
    turns: Counter[int] = Counter()
    for epoch in range(6):
        taken = [place for place in chosen(corpus, choice, epoch) if place in train]
        assert sorted(keys[place] for place in taken) == sorted({keys[place] for place in counted})
        turns.update(taken)
    groups = defaultdict(list)
    for place in counted:
        groups[keys[place]].append(place)
    assert {len(places) for places in groups.values()} >= {1, 2, 3}
    for places in groups.values():
        if 6 % len(places) == 0:
            assert {turns[place] for place in places} == {6 // len(places)}


def test_unique_does_not_prefer_early_games(corpus: Corpus, keys: list[str]) -> None:
    """Of pairs, the first occurrence comes in about half of the cases."""
    of = occurrences(corpus, Movers.both, np.empty(0))[:, 1]
    choice = choose(corpus, Sampling(positions=Positions.unique), 3, np.empty(0))
    first: dict[str, int] = {}
    for place in np.flatnonzero(of == 2).tolist():
        first.setdefault(keys[place], place)
    taken = [place for place in chosen(corpus, choice, 0) if of[place] == 2]
    share = np.mean(np.isin(taken, list(first.values())))
    assert len(taken) > 100
    assert 0.3 < share < 0.7


def test_many_occurrences_are_capped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MOST", 3)
    keys = np.array([7] * 10 + [9] * 3 + [0] * 2 + [11], np.uint64)
    counting._count(np.split(keys, [4, 12]), len(keys), tmp_path / "out.npy", tmp_path)
    found = np.load(tmp_path / "out.npy")
    assert sorted(found[:10, 0]) == [0, 1, 2] + 7 * [3]  # seven never have a turn
    assert set(found[:13, 1]) == {3}
    assert found[13:].tolist() == [[0, 0], [0, 0], [0, 1]]


def test_occurrences_are_counted_once_and_belong_to_their_games(corpus: Corpus, tmp_path: Path) -> None:
    occurrences(corpus, Movers.both, np.empty(0))
    (kept,) = corpus.path.glob(f"occurrences-{counting._fingerprint(corpus, Movers.both)}.npy")
    before = kept.stat().st_mtime_ns
    occurrences(corpus, Movers.both, np.empty(0))
    assert kept.stat().st_mtime_ns == before
    other = build_other_splits(corpus, tmp_path)
    (tmp_path / "other" / kept.name).write_bytes(b"of other games")
    assert len(occurrences(other, Movers.both, np.empty(0))) == len(other.moves)


def build_other_splits(corpus: Corpus, folder: Path) -> Corpus:
    """The same games, all for training."""
    (folder / "other").mkdir()
    for path in corpus.path.iterdir():
        if not path.name.startswith("occurrences"):
            (folder / "other" / path.name).write_bytes(path.read_bytes())
    np.save(folder / "other" / "splits.npy", np.zeros(len(corpus), np.uint8))
    return Corpus.open(folder / "other")


def test_a_folder_without_room_is_explained(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(counting, "_count", full)
    other = build_other_splits(corpus, tmp_path)
    with pytest.raises(DiskFullError, match=r"no room for .*occurrences"):
        occurrences(other, Movers.both, np.empty(0))
    assert not list(other.path.glob("*occurrences*"))


@pytest.mark.parametrize("buckets", [1, 16])
def test_counting_reads_each_key_once_however_many_there_are(
    buckets: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the bytes are the same in any number of buckets."""
    read = 0

    class Counted(Buckets):
        def take(self, number: int) -> NDArray[Any]:
            nonlocal read
            records = super().take(number)
            read += len(records)
            return records

    keys = np.random.default_rng(0).integers(0, 2**64, 3000, np.uint64).repeat(3)
    counting._count([keys], len(keys), tmp_path / "whole.npy", tmp_path)
    monkeypatch.setattr(counting, "Buckets", Counted)
    monkeypatch.setattr(counting, "KEYS_AT_ONCE", 1 + len(keys) // buckets)
    counting._count(np.split(keys, 100), len(keys), tmp_path / "out.npy", tmp_path)
    assert read == 2 * len(keys)
    assert (tmp_path / "out.npy").read_bytes() == (tmp_path / "whole.npy").read_bytes()


@pytest.mark.parametrize("damage", [lambda data: data[:100], lambda data: b"", lambda data: data[:-4]])
def test_damaged_occurrences_are_to_be_removed_not_the_corpus(
    corpus: Corpus, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    other = build_other_splits(corpus, tmp_path)
    occurrences(other, Movers.both, np.empty(0))
    (kept,) = other.path.glob("occurrences-*.npy")
    kept.write_bytes(damage(kept.read_bytes()))
    with pytest.raises(ArtefactError, match=r"occurrences-\w+\.npy .*Remove it; it is then made anew"):
        occurrences(other, Movers.both, np.empty(0))


def test_counting_tells_and_prints_nothing(
    corpus: Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told: list[str] = []
    other = build_other_splits(corpus, tmp_path)
    for _ in range(2):
        occurrences(other, Movers.both, np.empty(0), told.append)
    assert len(told) == 1
    assert "counting the different positions of" in told[0]
    assert capsys.readouterr() == ("", "")


GAME = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5"
Stretch = tuple[int, int]
"""First and last ply of a stretch of moves."""


def stretches(corpus: Corpus, choice: Choice, game: int, epoch: int) -> list[Stretch]:
    found = choice.index(np.array([game]), epoch)
    return list(zip(found.since.tolist(), found.at.tolist(), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("movers", Movers)
def test_subsequences_are_one_from_the_start_one_to_the_end_and_five_others(
    corpus: Corpus, movers: Movers
) -> None:
    plies = sampled_plies(corpus, np.arange(len(corpus)), movers)
    choice = Subsequences(corpus, movers, seed=4)
    for epoch in range(3):
        for game, (first, step, count) in enumerate(zip(plies.first, plies.step, plies.count, strict=True)):
            own = [first + step * number for number in range(count)]
            taken = stretches(corpus, choice, game, epoch)
            assert len({last for _, last in taken}) == len(taken) == min(len(own), 7)
            assert {last for _, last in taken} <= set(own)
            assert all(since < last or last == 0 for since, last in taken)
            if taken:
                assert any(since == 0 for since, _ in taken)
                assert taken[-1][1] == own[-1]
    assert plies.count.max() > 7 > plies.count.min()


@pytest.mark.slow
@pytest.mark.parametrize("length", [1, 2, 5, 12])
def test_subsequences_against_all_stretches_of_one_game(length: int, tmp_path: Path) -> None:
    """The first move and every stretch of two or more come in some epoch, as the past and the move after."""
    names = GAME.split()[:length]
    path = tmp_path / "2_uci_moves_dataset.txt"
    path.write_text(" ".join(names))
    build(tmp_path / "one", [path], CHESS, shares={})
    moves = [CHESS.moves.number(name) for name in names]
    expected = {tuple(moves[since : last + 1]) for last in range(length) for since in range(last)}
    expected.add((moves[0],))
    sampling = Sampling(positions=Positions.subsequences)
    stream = Stream(Shuffle(Draw(path=tmp_path / "one", split=Split.train, sampling=sampling), np.empty(0)))
    assert stream.epoch == min(7, length)
    seen = set()
    for epoch in range(25 * length):
        (rows,) = stream.take(epoch * stream.epoch, (epoch + 1) * stream.epoch, history=12)
        examples = {
            tuple(move for move in [*past, last] if move >= 0)
            for past, last in zip(rows["past"].tolist(), rows["move"].tolist(), strict=True)
        }
        assert len(examples) == stream.epoch
        assert any(list(example) == moves[: len(example)] for example in examples)
        assert any(list(example) == moves[-len(example) :] for example in examples)
        assert rows["ply"].tolist() == [moves.index(move) for move in rows["move"].tolist()]
        seen |= examples
    assert seen == expected


def test_random_subsequences_are_uniform_and_change_by_epoch_and_seed(corpus: Corpus) -> None:
    games = np.arange(50_000) + 10**6
    choice = Subsequences(corpus, Movers.both, seed=4)
    drawn = choice._drawn(games, np.full(len(games), 12), epoch=2)
    assert (np.diff(drawn, axis=1) > 0).all()
    found, often = np.unique(drawn, axis=0, return_counts=True)
    assert len(found) == math.comb(12, 6)
    assert often.max() < 54 + 6 * math.sqrt(54)  # six standard deviations
    begins = np.bincount(choice._random(games, 2, 9, np.full(len(games), 10)), minlength=10)
    assert np.abs(begins / len(games) - 0.1).max() < 0.008
    lists = [
        chosen(corpus, Subsequences(corpus, Movers.both, seed=seed), epoch)
        for seed, epoch in ((4, 0), (4, 1), (5, 0))
    ]
    assert lists[0] != lists[1] != lists[2] != lists[0]
