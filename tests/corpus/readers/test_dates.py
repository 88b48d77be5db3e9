"""Years from dates as people write them."""

from __future__ import annotations

import pytest

from zeroply.corpus.readers.pgn.dates import year


@pytest.mark.parametrize(
    ("date", "wanted"),
    [
        ("1999.12.09", 1999),
        ("2009.??.??", 2009),
        ("1851", 1851),
        ("2009年11月7日", 2009),
        ("2009-1-7 14:30", 2009),
        ("1999。9。9", 1999),
        ("20091107", 2009),
        ("20091107上午", 2009),
        ("11/07/2009", 2009),
        ("7-11-2009", 2009),
        ("09-01-12", 2009),
        ("97-10-28", 1997),
        ("10/28/97", 1997),
        ("28.10.97", 1997),
        ("10/11/09", 0),  # which of them?
        ("20095511", 0),
        ("9999.01.01", 0),
        ("????.??.??", 0),
        ("民国时期", 0),
        ("3.5", 0),
        ("          ", 0),
        ("", 0),
        (None, 0),
    ],
)
def test_years(date: str | None, wanted: int) -> None:
    assert year(date) == wanted
