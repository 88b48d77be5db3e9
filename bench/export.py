"""A corpus written as PGN, against python-chess writing the same games."""

from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import chess
import chess.pgn

from bench.timing import seconds
from zeroply.corpus.build import build
from zeroply.corpus.exports import export
from zeroply.corpus.store import Corpus
from zeroply.games import game_named

ROOT = Path(__file__).parent.parent
MASTERS = ROOT.parent / "shared" / "data" / "twic-sample.pgn.xz"
SAMPLE = ROOT / "examples" / "games.pgn"
GAMES = 500
"""So many are enough to time python-chess."""


def main() -> None:
    source, game = MASTERS if MASTERS.exists() else SAMPLE, game_named("chess")
    with TemporaryDirectory() as folder:
        build(Path(folder) / "corpus", [source], game)
        corpus, out = Corpus.open(Path(folder) / "corpus"), Path(folder) / "games.pgn"
        export(corpus, out, "pgn")  # also compiles
        ours = len(corpus.moves) / seconds(lambda: export(corpus, out, "pgn"))
        names = game.moves.names
        games = [
            [chess.Move.from_uci(names[move]) for move in corpus.moves[first:last]]
            for first, last in pairwise(corpus.offsets[: GAMES + 1])
        ]

        def by_python_chess() -> None:
            with out.open("w", encoding="utf-8") as file:
                for moves in games:
                    written = chess.pgn.Game()
                    written.add_line(moves)
                    print(written, file=file, end="\n\n")

        theirs = sum(map(len, games)) / seconds(by_python_chess)
    print(f"writing {source.name} as PGN: {ours:,.0f} moves/s, {ours / theirs:.1f}× python-chess")
