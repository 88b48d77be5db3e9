"""What many tests need: a model, and programs that may be missing."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import settings

from zeroply.errors import EngineError
from zeroply.players.program import find_engine
from zeroply.silent_onnxruntime import onnxruntime

settings.register_profile("untimed", deadline=None)  # a busy machine is no failure
settings.register_profile("quick", deadline=None, max_examples=10)  # for `make check`
settings.load_profile("untimed")


# A shell lets what it starts in the background ignore Ctrl-C, and so would all programs that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


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


@pytest.fixture(scope="session", autouse=True)
def graphs_opened_once() -> Iterator[None]:
    """Hundreds of tests play with a bundled net, and onnxruntime takes half a second to open its graph."""
    opened = onnxruntime.InferenceSession

    @lru_cache(maxsize=4)
    def kept(path: Path, changed: int, threads: int) -> onnxruntime.InferenceSession:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.log_severity_level = threads, 3
        return opened(path, options, providers=["CPUExecutionProvider"])

    def once(
        graph: Path | bytes, options: onnxruntime.SessionOptions, providers: Sequence[str]
    ) -> onnxruntime.InferenceSession:
        if isinstance(graph, bytes):
            return opened(graph, options, providers=providers)
        return kept(graph.resolve(), graph.stat().st_mtime_ns, options.intra_op_num_threads)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(onnxruntime, "InferenceSession", once)
        yield


@pytest.fixture(scope="session")
def model() -> str:
    """The MODEL that tests play against."""
    return "chess"


@pytest.fixture(scope="session")
def xiangqi_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A small net for xiangqi that has learnt nothing."""
    import torch

    from zeroply.games import game_named
    from zeroply.recipes import find_recipe, save

    torch.manual_seed(0)
    small = {"width": "16", "depth": "1", "heads": "2", "inner": "16"}
    system = find_recipe("intuition").make(game_named("xiangqi"), small)
    path = tmp_path_factory.mktemp("xiangqi") / "model.safetensors"
    save(system, path, {"steps": 0})
    return str(path)


@pytest.fixture
def forgotten_recipes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recipes of files that the test asks for are forgotten after it: others run over all that are known."""
    from zeroply.recipes import recipes, registry

    recipes()  # the package's own come with its modules, once
    monkeypatch.setattr(registry, "_REGISTRY", dict(registry._REGISTRY))
    monkeypatch.setattr(registry, "_OF_FILE", dict(registry._OF_FILE))


@pytest.fixture
def unhurried_greetings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines that shall soon be given up when they are silent may take their time to start: here they are
    scripts, and the machine may be busy."""
    monkeypatch.setattr("zeroply.players.conversation.greeting_seconds", lambda patience: 30.0)
