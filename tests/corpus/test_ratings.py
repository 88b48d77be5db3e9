"""The strongest of each kind in some corpora."""

from __future__ import annotations

import re
from pathlib import Path

from tests.sources import CHESS
from zeroply.corpus.build import build
from zeroply.corpus.ratings import people_between, strongest
from zeroply.corpus.store import Corpus
from zeroply.corpus.told import UNRATED

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


def built(folder: Path) -> list[Corpus]:
    texts = {"games.pgn": GAMES, "puzzles.csv": PUZZLE, "unrated.pgn": re.sub(r"\[.*Elo.*\n", "", GAMES)}
    for name, text in texts.items():
        (folder / name).write_text(text)
        build(folder / f"corpus-{name}", [folder / name], CHESS)
    return [Corpus.open(folder / f"corpus-{name}") for name in texts]


def test_the_strongest_of_each_kind_there_is(tmp_path: Path) -> None:
    corpora = built(tmp_path)
    games, puzzles, unrated = corpora
    # Of three ratings the second: one in a hundred may be higher, and only ratings that occur are told.
    assert strongest([(games, 1.0), (puzzles, 1.0)]) == {"human": 2700, "puzzle": 0}
    assert strongest([(games, 1.0)]) == {"human": 2700}
    # One of four players of the rated games has no rating: half of all have none where the others weigh half.
    assert strongest([(games, 1.0), (unrated, 0.49)]) == {"human": 2700}
    assert strongest([(games, 1.0), (unrated, 0.51)]) == {"human": UNRATED}


def test_between_which_ratings_people_are(tmp_path: Path) -> None:
    games, puzzles, unrated = built(tmp_path)
    assert people_between([puzzles, games]) == (2650, 2700)
    assert people_between([puzzles, unrated]) is None
