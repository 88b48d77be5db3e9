"""Every command of the README is run here, in its order, in an empty folder with the examples beside it."""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.sources import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    line.split("  #")[0].strip()
    for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    for line in block.replace("\\\n", " ").splitlines()
    if line.strip() and not line.startswith("#")
]
SET_UP = ("git clone", "cd ", "make ", "pip install")
"""Lines that bring a user to where the tests already are."""


def environment() -> dict[str, str]:
    """`zeroply` is that of this interpreter."""
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


def test_the_two_commands_come_first() -> None:
    assert [line for line in COMMANDS if line.startswith("make ")][:2] == ["make play", "make test"]


def test_the_makefile_knows_every_target() -> None:
    for line in COMMANDS:
        if line.startswith("make "):
            dry = subprocess.run(
                ["make", "-n", line.split()[1]], cwd=ROOT, capture_output=True, text=True, check=False
            )
            assert dry.returncode == 0, dry.stderr


@pytest.mark.slow
@pytest.mark.engine
def test_every_command_runs(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    ran = [line for line in COMMANDS if not line.startswith(SET_UP)]
    assert len(ran) >= 10
    for line in ran:
        words = shlex.split(line)
        assert words[0] in ("zeroply", "python"), line
        if words[1] == "serve":
            check_page(words, tmp_path)
            continue
        done = subprocess.run(
            words,
            cwd=tmp_path,
            env=environment(),
            input="uci\nquit\n",
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stderr}"


def check_page(words: list[str], folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = subprocess.Popen([*words, "--port", str(port)], cwd=folder, env=environment())
    try:
        deadline = time.monotonic() + 30
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as page:
                    assert b"zeroply" in page.read()
                return
            except OSError:
                assert time.monotonic() < deadline, "the page did not come up"
                time.sleep(0.1)
    finally:
        server.terminate()
        server.wait()
