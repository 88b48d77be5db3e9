"""Which positions an epoch has: all, all different ones, or seed 000's few of each game."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.corpus.sampled import build_mixed
from tests.sources import CHESS
from zeroply.corpus import occurrences as counting
from zeroply.corpus.choice import Choice, Positions, Sampling, Subsequences, choose
from zeroply.corpus.movers import Movers, sampled_plies
from zeroply.corpus.occurrences import occurrences
from zeroply.corpus.replay import replay_games
from zeroply.corpus.sample import lengths_of
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.errors import DiskFullError

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
    return [int(place) for place in choice.index(np.arange(len(corpus)), epoch)]


@pytest.mark.parametrize("sampling", SAMPLINGS, ids=str)
def test_laws_of_every_choice(corpus: Corpus, sampling: Sampling) -> None:
    choice = choose(corpus, sampling, 5, np.empty(0))
    everything = np.arange(len(corpus))
    for epoch in range(4):
        index = choice.index(everything, epoch)
        assert (np.diff(index) > 0).all()
        assert set(index.tolist()) <= of_movers(corpus, sampling.movers)
        owner = np.searchsorted(corpus.offsets, index, side="right") - 1
        np.testing.assert_array_equal(
            choice.counts(everything, epoch), np.bincount(owner, minlength=len(corpus))
        )
        for split in (Split.train, Split.validation):
            games = corpus.games_in(split)
            assert choice.counts(games, epoch).sum() == choice.counts(games, 0).sum() > 0


@settings(max_examples=30, deadline=None)
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
    begin = np.cumsum(lengths_of(corpus, games)) - lengths_of(corpus, games)
    alone = [first + choice.index(np.array([game]), epoch) for first, game in zip(begin, games, strict=True)]
    assert choice.index(games, epoch).tolist() == np.concatenate(alone).tolist()


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
    split_of = np.repeat(corpus.array("splits"), np.diff(corpus.offsets))
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
    train = set(np.flatnonzero(np.repeat(corpus.array("splits"), np.diff(corpus.offsets)) == Split.train))
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
    with (tmp_path / "keys").open("w+b") as file:
        file.write(keys.tobytes())
        counting._count(file, len(keys), tmp_path / "out.npy")
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


def numbered(corpus: Corpus, choice: Choice, movers: Movers, epoch: int) -> list[NDArray[np.int64]]:
    """For each game which of the movers' positions were chosen."""
    plies, found = sampled_plies(corpus, np.arange(len(corpus)), movers), []
    for game in range(len(corpus)):
        index = choice.index(np.array([game]), epoch)
        found.append((index - plies.first[game]) // plies.step[game])
    return found


@pytest.mark.parametrize("movers", Movers)
def test_subsequences_are_the_start_the_end_and_five_between(corpus: Corpus, movers: Movers) -> None:
    counts = sampled_plies(corpus, np.arange(len(corpus)), movers).count
    choice = Subsequences(corpus, movers, seed=4)
    for epoch in range(3):
        for taken, count in zip(numbered(corpus, choice, movers, epoch), counts, strict=True):
            assert len(set(taken.tolist())) == len(taken) == min(count, 7)
            if count:
                assert taken[0] == 0
                assert taken[-1] == count - 1
    assert counts.max() > 7 > counts.min()


def test_subsequences_between_are_uniform_and_change_by_epoch_and_seed(corpus: Corpus) -> None:
    games = np.arange(5000) + 10**6
    drawn = Subsequences(corpus, Movers.both, seed=4)._between(games, np.full(len(games), 10), epoch=2)
    shares = np.bincount(drawn.ravel(), minlength=10) / len(games)
    assert np.abs(shares - 0.5).max() < 0.04  # more than five standard deviations
    pairs = np.bincount((drawn[:, 0] * 10 + drawn[:, 1]), minlength=100)
    assert (pairs > 0).sum() == 21  # every pair of two smallest of five below ten
    lists = [
        chosen(corpus, Subsequences(corpus, Movers.both, seed=seed), epoch)
        for seed, epoch in ((4, 0), (4, 1), (5, 0))
    ]
    assert lists[0] != lists[1] != lists[2] != lists[0]
