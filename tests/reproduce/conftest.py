"""Corpora of both games, of the samples that zeroply's own players made."""

from __future__ import annotations

import pytest

from tests.sources import CHESS, ENGINE_SAMPLE, SAMPLE, XIANGQI, XIANGQI_SAMPLE
from zeroply.corpus.build import build
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus

SHARES = {Split.validation: 0.1, Split.test: 0.2}


@pytest.fixture(scope="session", params=["chess", "xiangqi"])
def people(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    source, game = (SAMPLE, CHESS) if request.param == "chess" else (XIANGQI_SAMPLE, XIANGQI)
    out = tmp_path_factory.mktemp("people") / "corpus"
    build(out, [source], game, shares=SHARES)
    return Corpus.open(out)


@pytest.fixture(scope="session")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Games with evaluations."""
    out = tmp_path_factory.mktemp("engines") / "corpus"
    build(out, [ENGINE_SAMPLE], CHESS, shares=SHARES)
    return Corpus.open(out)
