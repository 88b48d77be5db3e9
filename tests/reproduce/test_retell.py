"""The same moves, told as others'."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reproduce.retell import anybody, retell
from zeroply.corpus.score import Kind
from zeroply.corpus.store import Corpus
from zeroply.corpus.told import UNRATED
from zeroply.errors import ZeroplyError


@pytest.mark.parametrize("who", ["anybody", "engines"])
def test_only_who_plays_is_another(engines: Corpus, tmp_path: Path, who: str) -> None:
    assert engines.has_evaluations
    retell(engines, tmp_path / "retold", who)
    retold = Corpus.open(tmp_path / "retold")
    assert not retold.has_evaluations
    for name in ("moves", "offsets", "results", "splits", "starts", "positions", "years"):
        assert np.array_equal(retold.array(name), engines.array(name)), name
    assert engines.has_evaluations, "the corpus that is retold stays as it is"


def test_what_is_there_stays(engines: Corpus, tmp_path: Path) -> None:
    with pytest.raises(ZeroplyError, match=f"{tmp_path} exists"):
        retell(engines, tmp_path, "engines")
    assert not list(tmp_path.iterdir())


def test_engines_have_no_rating(engines: Corpus, tmp_path: Path) -> None:
    retell(engines, tmp_path / "retold", "engines")
    retold = Corpus.open(tmp_path / "retold")
    assert set(retold.kinds.tolist()) == {Kind.engine}
    assert not retold.ratings.any()


def test_anybody_is_people_and_engines_with_a_rating_and_without() -> None:
    kinds, ratings = anybody(10_000)
    people, rated = kinds == Kind.human, (ratings != UNRATED).all(axis=1)
    assert set(kinds.tolist()) == {Kind.human, Kind.engine}
    assert 0.38 < people.mean() < 0.42
    assert 0.19 < (rated & ~people).mean() < 0.23
    assert rated[people].all()
    assert ratings[people].min() >= 2300
    assert ratings[people].max() < 2850
    assert ratings[rated & ~people].min() >= 3000
    assert not ratings[~rated].any()
