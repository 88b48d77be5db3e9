"""The command within this process, and a corpus to spoil."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.corpus.commands import Command, Done
from tests.sources import CHESS, SAMPLE
from zeroply.apps.cli import main
from zeroply.corpus.build import build


@pytest.fixture
def zeroply(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command within this process: as `zeroply`, but without its start."""

    def run(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["zeroply", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            main()
        gc.unfreeze()  # a command's own process would end now
        written = capsys.readouterr()
        return Done(int(caught.value.code or 0), written.out, written.err)

    return run


@pytest.fixture
def refused(zeroply: Command) -> Callable[..., str]:
    """The one line that a command prints when it refuses its input."""

    def run(*arguments: object) -> str:
        done = zeroply(*arguments)
        assert done.code == 2, done
        assert done.error.count("\n") == 1, done.error
        return done.error.strip()

    return run


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("bad") / "sample"
    build(out, [SAMPLE], CHESS)
    return out
