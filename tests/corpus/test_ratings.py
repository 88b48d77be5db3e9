"""The strongest of each kind in some corpora."""

from __future__ import annotations

from pathlib import Path

from tests.corpus.sample.corpora import build_mixed
from tests.sources import CHESS, SAMPLE
from zeroply.corpus.build import build
from zeroply.corpus.ratings import strongest
from zeroply.corpus.store import Corpus


def test_the_strongest_of_each_kind(tmp_path: Path) -> None:
    mixed = build_mixed(tmp_path)
    build(tmp_path / "sample", [SAMPLE], CHESS)
    people = Corpus.open(tmp_path / "sample")
    found = strongest([people, mixed])
    assert found.keys() == {"human", "puzzle"}
    assert found["puzzle"] == 0
    known = sorted(int(rating) for rating in people.ratings.flatten() if rating)
    assert known[-2] <= found["human"] <= known[-1]
    assert strongest([people]).keys() == {"human"}
