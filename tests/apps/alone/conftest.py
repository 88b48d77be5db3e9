"""The page without a server: built once, and served as a plain file server would, from a sub-path."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.apps.conftest import cannot_run
from zeroply.apps.web.alone import RUNTIME, write_alone
from zeroply.apps.web.npm import archive_of
from zeroply.artefacts import bundled
from zeroply.errors import ReadError

from .worker import Worker

SUB_PATH = "games/zeroply/"


@pytest.fixture(scope="session")
def runtime() -> None:
    fetch_runtime()


def fetch_runtime() -> None:
    """onnxruntime-web into the cache."""
    try:
        archive_of(RUNTIME)
    except ReadError as error:
        cannot_run(str(error))


@contextmanager
def plainly_served(folder: Path) -> Iterator[str]:
    """The address of a folder under `python -m http.server`, which sends no header of ours."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": ""},
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "port" in line, f"the server said: {line!r}"
        yield f"http://127.0.0.1:{line.split('port ')[1].split()[0]}/"
    finally:
        process.terminate()
        process.wait(timeout=30)


@contextmanager
def site_of(models: Sequence[str], folder: Path) -> Iterator[str]:
    """The address of the page without a server for these models."""
    write_alone(models, folder / SUB_PATH)
    with plainly_served(folder) as root:
        yield root + SUB_PATH


@pytest.fixture(scope="session")
def site(runtime: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """That of the bundled models."""
    with site_of(list(bundled()), tmp_path_factory.mktemp("site")) as address:
        yield address


@pytest.fixture(scope="module")
def worker(browser: Browser, site: str) -> Iterator[Worker]:
    with Worker.open(browser, site) as found:
        yield found
