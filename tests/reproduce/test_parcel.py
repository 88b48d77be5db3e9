"""Corpora for a machine that only trains."""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path

import numpy as np
import pytest

from reproduce.parcel import parcel
from zeroply.corpus.sample.movers import Movers
from zeroply.corpus.sample.occurrences import occurrences
from zeroply.corpus.store import Corpus
from zeroply.errors import ZeroplyError


def test_all_but_tags_arrives(people: Corpus, engines: Corpus, tmp_path: Path) -> None:
    renamed = tmp_path / "engines"
    renamed.symlink_to(engines.path)
    parcel([people, Corpus.open(renamed)], tmp_path / "parcel.tar.xz")
    with tarfile.open(tmp_path / "parcel.tar.xz") as tar:
        tar.extractall(tmp_path / "there", filter="data")
    for sent, name in ((people, people.path.name), (engines, "engines")):
        arrived = Corpus.open(tmp_path / "there" / name)
        assert not (arrived.path / "tags.parquet").exists()
        assert arrived.tags().num_columns == 0
        assert {path.name for path in sent.path.glob("*.npy")} == {
            path.name for path in arrived.path.glob("*.npy")
        }
        for path in sent.path.glob("*.npy"):
            assert np.array_equal(np.load(path), np.load(arrived.path / path.name))


def test_two_of_one_name_are_refused(people: Corpus, tmp_path: Path) -> None:
    with pytest.raises(ZeroplyError, match=f"two corpora are called {people.path.name}"):
        parcel([people, people], tmp_path / "parcel.tar.xz")
    assert not list(tmp_path.iterdir())


def test_what_can_be_counted_again_stays(people: Corpus, tmp_path: Path) -> None:
    corpus = Corpus.open(shutil.copytree(people.path, tmp_path / "corpus"))
    occurrences(corpus, Movers.both, np.empty(0))
    assert list(corpus.path.glob("occurrences-*.npy"))
    parcel([corpus], tmp_path / "parcel.tar.xz")
    with tarfile.open(tmp_path / "parcel.tar.xz") as tar:
        assert not [name for name in tar.getnames() if "occurrences" in name]
