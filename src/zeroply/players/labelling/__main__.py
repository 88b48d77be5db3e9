"""`python -m zeroply.players.labelling FENS FOLDER --engine stockfish --nodes 1000`: what `zeroply data
label` does with a list of FENs, where numpy alone is installed. `zeroply data build` reads its labels.csv."""

import argparse
from pathlib import Path

from zeroply.arguments import Parser, some
from zeroply.corpus.progress import in_lines
from zeroply.durations import deadline, in_hours
from zeroply.errors import ZeroplyError
from zeroply.exits import exit_codes
from zeroply.games import GAMES
from zeroply.players.conversation import PATIENCE
from zeroply.players.labelling.asked import Asked
from zeroply.players.labelling.run import FLAWS, Labels, label_file


def _arguments() -> argparse.Namespace:
    parser = Parser("python -m zeroply.players.labelling")
    parser.add_argument("fens", type=Path, help="a file, one FEN a line")
    parser.add_argument("folder", type=Path, help="for labels.csv and the work under way")
    parser.add_argument("--engine", required=True, help="a program and its options: 'stockfish Hash=16'")
    parser.add_argument("--nodes", type=some, metavar="N", help="of each position")
    parser.add_argument("--depth", type=some, metavar="N", help="of each position")
    parser.add_argument("--multipv", type=some, default=1, metavar="K", help="lines of each (default 1)")
    parser.add_argument("--workers", type=some, default=1, metavar="N", help="engines at a time (default 1)")
    parser.add_argument("--max-time", type=in_hours, metavar="HH:MM:SS", help="stop asking after so long")
    parser.add_argument(
        "--patience", type=some, default=PATIENCE, metavar="SECONDS", help="of silence (default %(default)g)"
    )
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
    until, progress = deadline(given.max_time), in_lines("positions")
    found = label_file(given.fens, given.folder, asked, workers=given.workers, until=until, progress=progress)
    if not found.labelled:
        raise ZeroplyError(f"{given.fens}: nothing was labelled. {_why(found, given.folder)}")
    print(
        f"{found.table}: {found.labelled:,} positions by {found.identity}; {found.over:,} over, "
        f"{found.failed:,} failed, {found.left:,} left; engines busy {found.busy:.0%}"
    )


def _why(found: Labels, folder: Path) -> str:
    if found.failed:
        return f"{folder / FLAWS} says why; to ask again, remove {folder}"
    if found.left:
        return "The time was up: the same command goes on, give it a longer --max-time"
    return "All games are over there: give other positions"


if __name__ == "__main__":
    with exit_codes(when_stopped="the same command goes on where it was"):
        main()
