"""Progress in lines, for logs."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from zeroply.corpus import progress


def test_a_line_comes_now_and_then_with_the_speed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = [100.0]
    monkeypatch.setattr("zeroply.corpus.progress.time", SimpleNamespace(monotonic=lambda: clock[0]))
    tell = progress.in_lines("positions")
    for seconds, done in ((1, 64), (progress.EVERY, 3_000), (1, 3_064), (progress.EVERY - 1, 6_100)):
        clock[0] += seconds
        tell(done, done / 10_000)
    assert capsys.readouterr().err == "30.0%, 3,000 positions, 97/s\n61.0%, 6,100 positions, 100/s\n"
