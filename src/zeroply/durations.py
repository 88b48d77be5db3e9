"""Times as people read and write them."""

import math
import re
import time
from datetime import timedelta

from zeroply.errors import ZeroplyError, quoted


def in_words(seconds: float) -> str:
    """'40 s', '3 min 20 s', '2 h 5 min'."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def deadline(limit: timedelta | None, began: float | None = None) -> float:
    """By `time.monotonic`, counted from then or from now on."""
    return math.inf if limit is None else (began or time.monotonic()) + limit.total_seconds()


def in_hours(text: str) -> timedelta:
    """How long a command may take, HH:MM:SS."""
    found = re.fullmatch(r"(\d{1,4}):([0-5]?\d):([0-5]?\d)", text)
    hours, minutes, seconds = map(int, found.groups()) if found else (0, 0, 0)
    if not found:
        raise ZeroplyError(f"the time {quoted(text)} is not HH:MM:SS. Write 00:25:00 for 25 minutes")
    if not (hours or minutes or seconds):
        raise ZeroplyError(f"the time {quoted(text)} leaves no time. Write 00:25:00 for 25 minutes")
    return timedelta(hours=hours, minutes=minutes, seconds=seconds)
