"""The strongest of each kind in some corpora."""

from __future__ import annotations

from pathlib import Path

from tests.sources import CHESS
from zeroply.corpus.build import build
from zeroply.corpus.ratings import strongest
from zeroply.corpus.store import Corpus

GAMES = """[White "A"]
[Black "B"]
[WhiteElo "2700"]
[BlackElo "2650"]
[Result "1-0"]

1. e4 e5 1-0

[White "A"]
[Black "C"]
[WhiteElo "2710"]
[Result "0-1"]

1. d4 d5 0-1
"""
PUZZLE = """PuzzleId,FEN,Moves,Rating
x,rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR w KQkq - 0 2,a2a3 d8h4,600
"""


def test_the_strongest_of_each_kind_there_is(tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text(GAMES)
    (tmp_path / "puzzles.csv").write_text(PUZZLE)
    corpora = []
    for name in ("games.pgn", "puzzles.csv"):
        build(tmp_path / f"corpus-{name}", [tmp_path / name], CHESS)
        corpora.append(Corpus.open(tmp_path / f"corpus-{name}"))
    # Of three ratings the second: one in a hundred may be higher, and only ratings that occur are told.
    assert strongest(corpora) == {"human": 2700, "puzzle": 0}
    assert strongest(corpora[:1]) == {"human": 2700}
