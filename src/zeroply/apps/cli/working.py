"""What commands that let engines work take and say alike."""

from datetime import timedelta
from typing import Annotated

import typer

from zeroply.durations import in_hours

Workers = Annotated[int, typer.Option(min=1, help="Engines at work at a time.")]
Patience = Annotated[float, typer.Option(min=0.1, help="Seconds for which an engine may be silent.")]
MaxTime = Annotated[
    timedelta | None,
    typer.Option(
        parser=in_hours, metavar="HH:MM:SS", help="Begin nothing more after so long: what is done counts."
    ),
]
SAME = "the same command goes on where it was"
