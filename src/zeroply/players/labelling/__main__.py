"""`python -m zeroply.players.labelling FENS FOLDER --engine stockfish --nodes 1000`: what `zeroply data
label` does with a list of FENs, where numpy alone is installed. `zeroply data build` reads its labels.csv."""

import argparse
import sys
import time
from pathlib import Path

from zeroply.durations import deadline, in_hours
from zeroply.errors import exit_codes
from zeroply.games import GAMES
from zeroply.players.conversation import PATIENCE
from zeroply.players.labelling.asked import Asked
from zeroply.players.labelling.run import label_file

EVERY = 10.0
"""Seconds between lines of progress."""


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m zeroply.players.labelling", allow_abbrev=False)
    parser.add_argument("fens", type=Path, help="a file, one FEN a line")
    parser.add_argument("folder", type=Path, help="for labels.csv and the work under way")
    parser.add_argument("--engine", required=True, help="a program and its options: 'stockfish Hash=16'")
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--depth", type=int)
    parser.add_argument("--multipv", type=int, default=1, help="how many lines")
    parser.add_argument("--workers", type=int, default=1, help="engines at a time")
    parser.add_argument("--max-time", type=in_hours, metavar="HH:MM:SS", help="stop asking after so long")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds of silence")
    parser.add_argument("--game", choices=GAMES, default="chess")
    return parser.parse_args()


def main() -> None:
    given = _arguments()
    asked = Asked(
        engine=given.engine,
        game=given.game,
        nodes=given.nodes,
        depth=given.depth,
        multipv=given.multipv,
        patience=given.patience,
    )
    begin = told = time.monotonic()

    def progress(positions: int, share: float) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told >= EVERY:
            told, rate = now, positions / (now - begin)
            print(f"{share:.1%}, {positions:,} positions, {rate:,.0f}/s", file=sys.stderr, flush=True)

    until = deadline(given.max_time)
    found = label_file(given.fens, given.folder, asked, workers=given.workers, until=until, progress=progress)
    print(
        f"{found.table}: {found.labelled:,} positions by {found.identity}; {found.over:,} over, "
        f"{found.failed:,} failed, {found.left:,} left; engines busy {found.busy:.0%}"
    )


if __name__ == "__main__":
    with exit_codes(when_stopped="the same command goes on where it was"):
        main()
