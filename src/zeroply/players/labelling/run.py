"""Many positions, several engines: a table that grows in parts and goes on where it was killed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from zeroply.artefacts import digest_of
from zeroply.corpus.ledger import Ledger
from zeroply.corpus.readers.files import open_text
from zeroply.errors import ReadError
from zeroply.players.labelling.asked import COLUMNS, Asked, Positions, engine_for, label

AT_ONCE = 64
"""Positions of a part: what an engine loses at the most when it is killed."""
TABLE = "labels.csv"
FLAWS = "failed.txt"


@dataclass(frozen=True, kw_only=True)
class Labels:
    """What became of some positions."""

    table: Path
    identity: str
    """What the engine calls itself."""
    labelled: int
    over: int
    """In so many the game is over."""
    failed: int
    """Over so many the engine broke down; the file of flaws beside the table says how."""
    left: int
    """So many were not asked about when the time was up."""
    busy: float
    """Which share of the time the engines had something to do, 0 … 1."""


def label_file(
    fens: Path,
    folder: Path,
    asked: Asked,
    *,
    workers: int = 1,
    until: float = math.inf,
    progress: Callable[[int, float], None] = lambda positions, share: None,
) -> Labels:
    """Ask `workers` engines about all positions of a file, one FEN a line; the table is a file in `folder`,
    where the parts are kept too. No more parts are begun after `until`, by `time.monotonic`. `progress`
    hears how many positions were done by this call, and which share of all is.

    Killed, the same call goes on; the table has the same bytes if the engine gives the same answer twice:
    with one thread and a number of nodes or a depth, not a time.
    """
    engine = engine_for(asked)
    ledger, total = Ledger(folder), sum(1 for _ in _lines(fens))
    if not total:
        raise ReadError(f"{fens} holds no positions. Give a file with one FEN a line")
    plan = {"positions": digest_of(fens), "identity": engine.identity, "at_once": AT_ONCE, **asked.plan()}
    if workers > 1:
        engine.close()  # each worker has its own
    try:
        with ledger.opened(plan, "labelling"):
            fresh = done = 0
            for new, counts in ledger.fill(_jobs(fens, asked), label, workers, until):
                here = int(counts["labelled"] + counts["over"] + counts["failed"])
                done, fresh = done + here, fresh + here * new
                progress(fresh, done / total)
            found, flaws = ledger.whole(",".join(COLUMNS) + "\n", folder / TABLE)
            (folder / FLAWS).write_text("".join(f"{flaw}\n" for flaw in flaws), encoding="utf-8")
    finally:
        engine.close()
    asked_about = int(found["labelled"] + found["over"] + found["failed"])
    return Labels(
        table=folder / TABLE,
        identity=engine.identity,
        labelled=int(found["labelled"]),
        over=int(found["over"]),
        failed=int(found["failed"]),
        left=total - asked_about,
        busy=found["waited"] / max(found["seconds"], 1e-9),
    )


def _lines(fens: Path) -> Iterator[str]:
    with open_text(fens) as lines:
        yield from (line.strip() for line in lines if line.strip())


def _jobs(fens: Path, asked: Asked) -> Iterator[Positions]:
    lines = _lines(fens)
    while some := tuple(islice(lines, AT_ONCE)):
        yield Positions(asked, some)
