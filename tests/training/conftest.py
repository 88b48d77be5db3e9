"""Corpora to train on, built once for all tests: they read them and write elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources import CHESS, SAMPLE, XIANGQI, XIANGQI_SAMPLE
from zeroply.corpus.build import build
from zeroply.corpus.score import Split


@pytest.fixture(scope="session")
def chess(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Without a test part."""
    out = tmp_path_factory.mktemp("chess") / "games"
    build(out, [SAMPLE], CHESS, shares={Split.validation: 0.1})
    return out


@pytest.fixture(scope="session")
def xiangqi(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("xiangqi") / "games"
    build(out, [XIANGQI_SAMPLE], XIANGQI, shares={Split.validation: 0.1, Split.test: 0.1})
    return out
