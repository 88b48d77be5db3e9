"""What commands that let engines work take and say alike."""

from typing import Annotated

import typer

Workers = Annotated[int, typer.Option(min=1, help="Engines at work at a time.")]
Patience = Annotated[float, typer.Option(min=0.1, help="Seconds for which an engine may be silent.")]
SAME = "the same command goes on where it was"
