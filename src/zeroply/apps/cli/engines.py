"""`zeroply data label` and `zeroply data generate`: what engines supply."""

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from zeroply.apps.cli.games import GameName
from zeroply.apps.cli.show import gauge, when_stopped
from zeroply.errors import needs

app = typer.Typer()
SAME = "the same command goes on where it was"


class Positions(StrEnum):
    """What the choice of positions is uniform over."""

    unique = "unique"


class Part(StrEnum):
    """Of a corpus."""

    train = "train"
    validation = "validation"
    test = "test"
    all = "all"


Workers = Annotated[int, typer.Option(min=1, help="Engines at work at a time.")]
Csv = Annotated[Path | None, typer.Option("--csv", help="Write the positions to this file too.")]


@app.command()
def label(
    source: Annotated[Path, typer.Argument(help="A corpus, or a file with one FEN a line.")],
    out: Annotated[Path, typer.Argument(help="The corpus to make: a new folder.")],
    engine: Annotated[
        str, typer.Option(help="A program that speaks UCI, with options: 'stockfish Hash=16'; or 'ucci:…'.")
    ],
    nodes: Annotated[int | None, typer.Option(min=1, help="Nodes for each position.")] = None,
    depth: Annotated[int | None, typer.Option(min=1, help="Depth for each position.")] = None,
    multipv: Annotated[int, typer.Option(min=1, max=500, help="Lines of each; five are kept.")] = 1,
    workers: Workers = 1,
    positions: Annotated[
        Positions, typer.Option(help="Of a corpus: each different position is as likely.")
    ] = Positions.unique,
    differs: Annotated[
        str | None, typer.Option(help="A MODEL: only where it would not play what was played.")
    ] = None,
    split: Annotated[Part, typer.Option(help="Of a corpus: which part.")] = Part.train,
    limit: Annotated[int | None, typer.Option(min=1, help="So many positions.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the choice.")] = 0,
    patience: Annotated[float, typer.Option(min=0.1, help="Seconds for an answer.")] = 60.0,
    csv: Csv = None,
    game: GameName = "chess",
) -> None:
    """Let an engine tell what positions are worth, its best line and with --multipv the worth of several moves.

    The engine forgets all before each position. Killed, the same command goes on where it stopped.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # no matrices here: its threads would wait, busily
    with needs("data", "zeroply data label"):  # before hours of work
        import pyarrow  # noqa: F401

    from zeroply.corpus.score import Split
    from zeroply.players.labelling.asked import Asked
    from zeroply.players.labelling.corpus import label_into
    from zeroply.players.labelling.positions import Rule

    with when_stopped(SAME), gauge("positions") as done:
        found = label_into(
            out,
            source,
            Asked(engine=engine, game=game, nodes=nodes, depth=depth, multipv=multipv, patience=patience),
            rule=Rule(split=None if split is Part.all else Split[split.value], limit=limit, seed=seed),
            differs=differs,
            table=csv,
            workers=workers,
            progress=done,
        )
    labels, manifest = found.labels, found.manifest
    left_out = {
        "over": labels.over,
        "failed": labels.failed,
        "no positions": found.skipped,
        "duplicates": manifest["duplicates"],
        "skipped": manifest["skipped"],
    }
    print(
        f"{out}: {manifest['games']:,} positions by {labels.identity}, {manifest['lines']:,} of them with "
        f"several moves; engines busy {labels.busy:.0%}"
        + "".join(f"; {number:,} {name}" for name, number in left_out.items() if number)
        + (f" (reasons in {out / 'failed.txt'})" if labels.failed else "")
    )
