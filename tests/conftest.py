"""What many tests need: a model, and engines that may be missing."""

from __future__ import annotations

import os

import pytest

from zeroply.errors import EngineError
from zeroply.players.engine import find_engine
from zeroply.players.load import bundled


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
    """A MODEL that plays chess."""
    if "chess" in bundled():
        return "chess"
    try:
        return os.environ["ZEROPLY_TEST_MODEL"]
    except KeyError:
        pytest.skip("no model is bundled and ZEROPLY_TEST_MODEL names none")
