"""The year of a date as people write it."""

from __future__ import annotations

import re
from functools import cache

LEADING = re.compile(r"\s*(\d{4})(?!\d)")
"""1999.12.09, 2009年11月7日, 1999."""
TOGETHER = re.compile(r"\s*((?:1[5-9]|20)\d\d)(?:0\d|1[0-2])(?:[0-2]\d|3[01])(?!\d)")
"""20091107."""
TRAILING = re.compile(r"\s*\d\d?[-/.]\d\d?[-/.](\d{4})(?!\d)")
"""12/09/1999, 9.12.1999."""
SHORT = re.compile(r"\s*(\d\d)-\d\d?-\d\d?\s*")
"""09-01-12: with hyphens the year comes first."""
SHORT_TRAILING = re.compile(r"\s*\d\d?[/.]\d\d?[/.](3[2-9]|[4-9]\d)\s*")
"""10/28/97: no day and no month."""
FIRST_OF_CENTURY = 50
"""Short years from here on are of the last century."""
LAST = 3000


@cache
def year(date: str | None) -> int:
    """0 where it cannot be told."""
    if not date:
        return 0
    for form in (LEADING, TOGETHER, TRAILING):
        if found := form.match(date):
            return int(found[1]) if int(found[1]) <= LAST else 0
    short = SHORT.fullmatch(date) or SHORT_TRAILING.fullmatch(date)
    if short is None:
        return 0
    return int(short[1]) + (1900 if int(short[1]) >= FIRST_OF_CENTURY else 2000)
