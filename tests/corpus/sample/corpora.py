"""A small corpus with all that sampling has to tell apart: games, puzzles, evaluations, odd beginnings, moves
that only led there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.sources import CHESS, PUZZLES, SAMPLE
from zeroply.corpus.build import build
from zeroply.corpus.sample.choice import EVERYTHING, Sampling
from zeroply.corpus.sample.mixing import Batches
from zeroply.corpus.sample.shuffle import Draw, Shuffle, Stream
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus

ODD_GAMES = """
[Result "0-1"]
[FEN "4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1"]
[WhiteElo "2000"]
[BlackElo "1500"]

1... Kd7 { [%eval 5.0] } 2. O-O Kc7 { [%eval #3] } 3. Rf7+ 0-1

[Result "1-0"]
[FEN "4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1"]

1... Ke7 2. O-O-O 1-0

[Result "*"]

1. e4 { [%eval 0.3] } e5 { [%eval 0.2] } 2. Nf3 *

[Result "1-0"]

1. d4 1-0
"""
FIRST = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
LABELS = f"""fen,line,depth,knodes,cp,mate
{FIRST} moves g1f3 g8f6 f3g1 f6g8 g1f3,b8c6,9,1,-20,
{FIRST} moves g1f3 g8f6 f3g1 f6g8 g1f3,d7d5,9,1,-10,
{FIRST} moves e2e4 e7e5,g1f3,9,1,30,
{FIRST},e2e4,9,1,25,
4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1 moves e8e7,e1g1,9,1,990,
"""
"""Positions that an engine judged, most with their past."""
BATCH = 64


def build_mixed(folder: Path) -> Corpus:
    odd = folder / "odd.pgn"
    odd.write_text(ODD_GAMES, encoding="utf-8")
    labels = folder / "labels.csv"
    labels.write_text(LABELS, encoding="utf-8")
    build(folder / "mixed", [SAMPLE, PUZZLES, odd, labels], CHESS, shares={Split.validation: 0.1})
    return Corpus.open(folder / "mixed")


def build_sample(folder: Path) -> Corpus:
    build(folder / "sample", [SAMPLE], CHESS)
    return Corpus.open(folder / "sample")


def draw(corpus: Corpus, sampling: Sampling = EVERYTHING, **others: Any) -> Draw:
    """Of several small blocks, each of several small runs."""
    settings: dict[str, Any] = {"split": Split.train, "seed": 1, "block": 40 * BATCH + 7, "runs": 5} | others
    return Draw(path=corpus.path, sampling=sampling, **settings)


def batches(*draws: Draw, weights: Sequence[float] = (), place: Any = None) -> Batches:
    streams = [Stream(Shuffle(one, np.empty(0) if place is None else place)) for one in draws]
    return Batches(streams, weights or [1.0] * len(streams), batch=BATCH, history=3)


def places(rows: dict[str, NDArray[Any]], corpus: Corpus) -> list[int]:
    """Where rows stand in the corpus."""
    first = {
        int(game): int(ply) for game, ply in zip(*_first_plies(corpus, np.unique(rows["game"])), strict=True)
    }
    return [
        int(corpus.offsets[game]) + int(ply) - first[int(game)]
        for game, ply in zip(rows["game"], rows["ply"], strict=True)
    ]


def _first_plies(corpus: Corpus, games: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A game from a FEN does not begin with ply 0."""
    from zeroply.corpus.replay import replay_games

    replayed = replay_games(corpus, games, np.empty(0))
    begin = np.concatenate([[0], np.cumsum(np.diff(corpus.offsets)[games])[:-1]])
    return games, replayed.state["ply"][begin]
