"""Corpora of the sample games, of both games, with large test parts."""

from __future__ import annotations

import pytest

from tests.sources import CHESS, SAMPLE, XIANGQI, XIANGQI_SAMPLE
from zeroply.corpus.build import build
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    out = tmp_path_factory.mktemp("corpora") / "sample"
    build(out, [SAMPLE], CHESS, shares={Split.test: 0.3})
    return Corpus.open(out)


@pytest.fixture(scope="session")
def xiangqi_corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    out = tmp_path_factory.mktemp("corpora") / "xiangqi"
    build(out, [XIANGQI_SAMPLE], XIANGQI, shares={Split.test: 0.5})
    return Corpus.open(out)
