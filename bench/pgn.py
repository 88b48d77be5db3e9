"""PGN to move numbers, tags and all, against python-chess reading the same games."""

import io
from pathlib import Path
from tempfile import TemporaryDirectory

import chess.pgn

from bench.timing import seconds
from zeroply.corpus.readers import read
from zeroply.corpus.readers.files import open_text
from zeroply.games import game_named

ROOT = Path(__file__).parent.parent
MASTERS = ROOT.parent / "shared" / "data" / "twic-sample.pgn.xz"
SAMPLE = ROOT / "examples" / "games.pgn"
GAMES = 1000
"""So many are enough to time python-chess."""


def main() -> None:
    source, game = MASTERS if MASTERS.exists() else SAMPLE, game_named("chess")
    with open_text(source) as lines:
        text = "".join(lines)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.pgn"
        path.write_text(text, encoding="utf-8")

        def by_zeroply() -> int:
            return sum(1 for _ in read(path, game))

        ours = by_zeroply() / seconds(by_zeroply)

    def by_python_chess() -> int:
        file, found = io.StringIO(text), 0
        while found < GAMES and chess.pgn.read_game(file) is not None:
            found += 1
        return found

    theirs = min(GAMES, text.count("[Event ")) / seconds(by_python_chess, tries=1)
    print(f"reading {source.name}: {ours:,.0f} games/s, {ours / theirs:.0f}× python-chess")
