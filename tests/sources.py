"""Real games for tests: samples that zeroply's own players made, and larger collections where they lie."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from zeroply.corpus.readers import read
from zeroply.corpus.score import Score, Skipped
from zeroply.games import game_named

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "examples" / "games.pgn"
PUZZLES = ROOT / "examples" / "puzzles.csv"
XIANGQI_SAMPLE = ROOT / "examples" / "xiangqi.pgn"
ENGINE_SAMPLE = ROOT / "examples" / "engine-games.pgn.xz"
SHARED = ROOT.parent / "shared" / "data"
CHESS, XIANGQI = game_named("chess"), game_named("xiangqi")


def shared(name: str) -> Path:
    """A file of the collections beside the checkout; the test is skipped where they are not."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"{name} is not beside this checkout")
    return path


@cache
def sample_games() -> list[Score]:
    return games_of(SAMPLE)


def games_of(path: Path, limit: int | None = None) -> list[Score]:
    found = []
    for item in read(path, CHESS):
        if isinstance(item, Skipped):
            continue
        found.append(item)
        if len(found) == limit:
            break
    return found
