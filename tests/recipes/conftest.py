"""Corpora of real games that several recipes learn from, built once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recipes.real_games import games_of_engines, games_of_people
from tests.sources import CHESS, XIANGQI
from zeroply.corpus.build import build
from zeroply.corpus.score import Split

SHARES = {Split.validation: 0.1}
"""Some 3,000 positions of those that are about 30,000 in all."""


@pytest.fixture(scope="session")
def chess_of_people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("people")
    build(folder / "corpus", [games_of_people(CHESS, 400, folder / "games.pgn")], CHESS, shares=SHARES)
    return folder / "corpus"


@pytest.fixture(scope="session")
def chess_of_engines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With evaluations."""
    folder = tmp_path_factory.mktemp("engines")
    build(folder / "corpus", [games_of_engines(200, folder / "games")], CHESS, shares=SHARES)
    return folder / "corpus"


@pytest.fixture(scope="session")
def xiangqi_of_people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("xiangqi")
    build(folder / "corpus", [games_of_people(XIANGQI, 400, folder / "games.pgn")], XIANGQI, shares=SHARES)
    return folder / "corpus"
