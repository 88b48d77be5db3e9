"""For all tests of labelling."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.players.labelling.asking import fens_of
from tests.sources import CHESS
from zeroply.players.labelling import run


@pytest.fixture
def fens(tmp_path: Path) -> Path:
    path = tmp_path / "fens.txt"
    path.write_text("\n".join(fens_of(CHESS, 30)) + "\n")
    return path


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "AT_ONCE", 4)
