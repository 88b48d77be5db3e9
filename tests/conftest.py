"""What many tests need: a model, and programs that may be missing."""

from __future__ import annotations

import os

import pytest

from zeroply.errors import EngineError
from zeroply.players.engine import find_engine


def pytest_runtest_setup(item: pytest.Item) -> None:
    """`@pytest.mark.engine("fairy-stockfish")` needs those programs, without a name stockfish."""
    marker = item.get_closest_marker("engine")
    for name in (marker.args or ("stockfish",)) if marker else ():
        try:
            find_engine(name)
        except EngineError as error:
            if os.environ.get("CI") == "true":
                pytest.fail(str(error), pytrace=False)
            pytest.skip(str(error))


@pytest.fixture(scope="session")
def model() -> str:
    """The MODEL that tests play against."""
    return "chess"
