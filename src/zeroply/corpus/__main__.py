"""`python -m zeroply.corpus OUT SOURCE…`: `zeroply data build` without tags, where numpy alone is installed.

So what engines labelled on a machine is learnt there. Chess needs `chess` besides, which is plain Python.
"""

import argparse
import sys
from pathlib import Path

from zeroply.arguments import Parser, some
from zeroply.corpus.build import build
from zeroply.corpus.hashes import SHARES
from zeroply.corpus.progress import in_lines
from zeroply.corpus.score import Split
from zeroply.exits import exit_codes
from zeroply.games import GAMES, game_named


def _arguments() -> argparse.Namespace:
    parser = Parser("python -m zeroply.corpus")
    parser.add_argument("out", type=Path, help="the corpus to make")
    parser.add_argument("sources", type=Path, nargs="+", help="files or folders of games or evaluations")
    parser.add_argument("--game", choices=GAMES, default="chess")
    parser.add_argument("--workers", type=some, default=1, help="processes that parse games")
    parser.add_argument("--validation", type=float, default=SHARES[Split.validation], help="share of games")
    parser.add_argument("--test", type=float, default=SHARES[Split.test], help="share of games")
    given = parser.parse_args()
    if not (given.validation >= 0 and given.test >= 0 and given.validation + given.test < 1):  # nor NaN
        parser.error("--validation and --test are shares that leave some games to train on")
    return given


def main() -> None:
    given = _arguments()
    shares = {Split.validation: given.validation, Split.test: given.test}
    game = game_named(given.game)
    manifest = build(
        given.out,
        given.sources,
        game,
        with_tags=False,
        shares=shares,
        workers=given.workers,
        progress=in_lines("games"),
    )
    for line in manifest["gave_none"]:
        print(line, file=sys.stderr)
    print(f"{given.out}: {manifest['games']:,} games, {manifest['plies']:,} plies")


if __name__ == "__main__":
    with exit_codes(when_stopped="the same command goes on where it was"):
        main()
