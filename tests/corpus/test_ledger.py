"""Work in parts."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from zeroply.corpus.ledger import Ledger, Part


def take_two_seconds(job: int) -> Part:
    begun = time.monotonic()
    time.sleep(2)
    return Part(text="", counts={"begun": begun})


@pytest.mark.slow
def test_no_part_is_begun_when_the_time_is_up_not_even_one_that_waits_in_a_worker(tmp_path: Path) -> None:
    ledger, until = Ledger(tmp_path), time.monotonic() + 10  # seconds in which workers start
    with ledger.opened({}, "this"):
        begun = [counts["begun"] for _, counts in ledger.fill(range(100), take_two_seconds, 2, until)]
    assert 2 <= len(begun) <= 10
    assert max(begun) < until + 1  # two seconds, if a worker looked at the clock only between jobs
    assert len(list((tmp_path / "parts").iterdir())) == len(begun)
