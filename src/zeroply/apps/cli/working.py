"""What commands that let engines work take and say alike."""

import math
import time
from datetime import timedelta
from typing import Annotated

import typer

from zeroply.durations import max_time

Workers = Annotated[int, typer.Option(min=1, help="Engines at work at a time.")]
Patience = Annotated[float, typer.Option(min=0.1, help="Seconds for which an engine may be silent.")]
MaxTime = Annotated[
    timedelta | None,
    typer.Option(
        parser=max_time, metavar="HH:MM:SS", help="Begin nothing more after so long: what is done counts."
    ),
]
SAME = "the same command goes on where it was"


def deadline(limit: timedelta | None) -> float:
    """By `time.monotonic`, from now on."""
    return math.inf if limit is None else time.monotonic() + limit.total_seconds()
