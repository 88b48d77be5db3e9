"""Windows: few positions of a game, which together teach each of its moves once an epoch."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.corpus.sample.corpora import build_mixed, draw, places
from tests.corpus.sample.test_choice import of_movers
from tests.sources import XIANGQI, XIANGQI_SAMPLE
from zeroply.corpus.build import build
from zeroply.corpus.sample.choice import Positions, Sampling, choose
from zeroply.corpus.sample.movers import Movers
from zeroply.corpus.sample.shuffle import Shuffle, Stream
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.objectives.sequence import taught


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return build_mixed(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def xiangqi(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    out = tmp_path_factory.mktemp("corpus") / "xiangqi"
    build(out, [XIANGQI_SAMPLE], XIANGQI, shares={})
    return Corpus.open(out)


def windows(movers: Movers, window: int) -> Sampling:
    return Sampling(movers=movers, positions=Positions.windows, window=window)


@pytest.mark.slow
@settings(max_examples=6)
@given(movers=st.sampled_from(Movers), window=st.integers(2, 80), epoch=st.integers(0, 3))
def test_every_move_of_the_movers_is_taught_once_an_epoch(
    corpus: Corpus, movers: Movers, window: int, epoch: int
) -> None:
    """As a net learns it: from the rows alone, with a history of two windows less a move."""
    stream = Stream(Shuffle(draw(corpus, windows(movers, window)), np.empty(0)))
    history = 2 * window - 1
    seen: Counter[int] = Counter()
    for rows in stream.take(epoch * stream.epoch, (epoch + 1) * stream.epoch, history):
        columns = {name: torch.as_tensor(rows[name]) for name in ("past", "move", "taught", "apart")}
        moves, counts = (found.numpy() for found in taught(columns))
        at = np.array(places(rows, corpus))[:, None] + np.arange(-history, 1)
        assert (corpus.moves[at[counts]] == moves[counts]).all()
        seen.update(at[counts].tolist())
    of_split = np.flatnonzero(np.repeat(corpus.splits, np.diff(corpus.offsets)) == Split.train)
    assert set(seen.values()) == {1}
    assert set(seen) == of_movers(corpus, movers) & set(of_split.tolist())


def test_windows_of_real_games_end_with_them_and_have_moves_before_them(xiangqi: Corpus) -> None:
    games = np.arange(len(xiangqi))
    found = choose(xiangqi, windows(Movers.both, 16), 0, np.empty(0)).index(games, 0)
    before = found.at - found.taught + 1 - found.since
    assert set(before[before > 0].tolist()) >= {32, 48}
    assert before[before > 0].min() == 32
    assert found.taught[before == 0].max() == 32
    assert found.taught[before > 0].max() == 16
    assert set(xiangqi.offsets[1:] - 1) <= set(found.at.tolist())
    assert len(found.at) < len(xiangqi.moves) / 10


def test_other_positions_teach_their_own_move(corpus: Corpus) -> None:
    for positions in set(Positions) - {Positions.windows}:
        found = choose(corpus, Sampling(positions=positions), 0, np.empty(0)).index(np.arange(9), 0)
        assert set(found.taught) == set(found.apart) == {1}
