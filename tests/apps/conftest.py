"""A real model, a real server in its own process, and the rule for tests that need a browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import pytest
import torch
from playwright.sync_api import Browser, Page, expect, sync_playwright
from starlette.testclient import TestClient, WebSocketTestSession

from tests.commands import zeroply
from tests.sources import SAMPLE
from zeroply.games import game_named
from zeroply.players.base import Network
from zeroply.players.load import load_network
from zeroply.recipes import find_recipe, save

from .driver import ARGUMENTS, PHONE, opened

expect.set_options(timeout=30_000)  # on a busy machine; and the page alone first loads a net and onnxruntime

CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("corpora") / "sample"
    zeroply("data", "build", out, SAMPLE, "--validation", "0.1", "--test", "0.2")
    return out


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("browser") and CHROMIUM is None:
        cannot_run(f"{item.name} needs chromium: sudo apt-get install chromium")


def cannot_run(missing: str) -> NoReturn:
    """What a machine lacks is a reason to skip a test, but not where all is to be tested."""
    if os.environ.get("CI") == "true":
        pytest.fail(missing, pytrace=False)
    pytest.skip(missing)


@pytest.fixture(scope="session")
def network(model: str) -> Network:
    return load_network(model)


@contextmanager
def served(
    models: Sequence[str],
    *,
    port: int = 0,
    options: str = "",
    environment: Mapping[str, str] | None = None,
    before: str = "",
) -> Iterator[str]:
    """The address of `serve` in a process of its own; port 0 takes a free one. `before` are statements that
    the process runs first."""
    program = f"{before}from zeroply.apps.web import serve; serve({list(models)!r}, port={port}{options})"
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "http://" in line, f"the server said: {line!r}"
        yield line.split()[3]
    finally:
        process.terminate()
        process.wait(timeout=30)


@pytest.fixture
def socket(client: TestClient) -> Iterator[WebSocketTestSession]:
    """A game with the server that the test file's `client` asks."""
    with client.websocket_connect("/api/game") as socket:
        yield socket


def ask(socket: WebSocketTestSession, answers: int = 1, **request: Any) -> dict[str, Any]:
    """The last of the answers to a request."""
    socket.send_json(request)
    received = [socket.receive_json() for _ in range(answers)]
    state: dict[str, Any] = received[-1]
    return state


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def xiangqi_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A MODEL named `xiangqi` that has learnt nothing: enough for a page to play against."""
    torch.manual_seed(0)
    known = find_recipe("intuition")
    system = known.build(known.options(width=32, depth=1, heads=2, inner=32), game_named("xiangqi"))
    path = tmp_path_factory.mktemp("models") / "xiangqi.safetensors"
    save(system, path, {"rated": False})
    return str(path)


@pytest.fixture(scope="session")
def xiangqi_network(xiangqi_model: str) -> Network:
    return load_network(xiangqi_model)


@pytest.fixture(scope="session")
def address(model: str) -> Iterator[str]:
    with served([model]) as found:
        yield found


@pytest.fixture(scope="session")
def both(model: str, xiangqi_model: str) -> Iterator[str]:
    """The address of a server for both games; xiangqi comes first."""
    with served([xiangqi_model, model]) as found:
        yield found


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """The page with chess."""
    yield from opened(browser, address)


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Page]:
    yield from opened(browser, address, PHONE)


@pytest.fixture
def xiangqi(browser: Browser, both: str) -> Iterator[Page]:
    """The page with both games, and one of xiangqi on it."""
    yield from opened(browser, both)
