"""Xiangqi: exact legal moves of many positions at once, against pyffish listing them one by one; replay."""

from itertools import islice
from pathlib import Path

import numpy as np
import pyffish
from numpy.typing import NDArray

from bench.timing import seconds
from zeroply.corpus.readers import read
from zeroply.corpus.replay import replay
from zeroply.corpus.score import Score
from zeroply.games.xiangqi import XIANGQI

RECORDED = Path(__file__).parent.parent.parent / "shared" / "data" / "xiangqi-games.pgn.xz"
GAMES = 2000
PLIES = 80
BLOCK = 1024
ASKED = 500
"""So many positions are enough to time pyffish."""


def recorded() -> list[list[int]]:
    """The first recorded games, each as move numbers."""
    found = (item for item in read(RECORDED, XIANGQI) if isinstance(item, Score))
    return [list(map(int, score.moves)) for score in islice(found, GAMES)]


def random() -> list[list[int]]:
    """Games of random legal moves, all of one length; those that ended sooner are left out."""
    rng = np.random.default_rng(2086)
    first = XIANGQI.first_state()
    steps = XIANGQI.steps({name: np.repeat(column, GAMES, axis=0) for name, column in first.items()})
    played, running = [], np.ones(GAMES, np.bool_)
    for _ in range(PLIES):
        legal = XIANGQI.legal(steps.state)
        running &= legal.any(axis=1)
        played.append((legal * rng.random(legal.shape, np.float32)).argmax(axis=1))
        steps.step(played[-1])
    games: list[list[int]] = np.stack(played, axis=1)[running].tolist()
    return games


def main() -> None:
    source, games = ("recorded games", recorded()) if RECORDED.exists() else ("random games", random())
    moves = np.concatenate([np.array(game, np.int16) for game in games])
    lengths: NDArray[np.int64] = np.array([len(game) for game in games])
    rows = replay(XIANGQI, moves, lengths).state
    blocks = [
        {name: column[first : first + BLOCK] for name, column in rows.items()}
        for first in range(0, len(moves), BLOCK)
    ]
    asked = np.random.default_rng(0).choice(len(moves), ASKED, replace=False)
    sample = {name: column[asked] for name, column in rows.items()}
    fens = XIANGQI.fens(sample)

    def by_pyffish() -> int:
        return sum(len(pyffish.legal_moves("xiangqi", fen, [])) for fen in fens)

    assert XIANGQI.legal(sample).sum() == by_pyffish()  # also compiles

    def compiled() -> None:
        for block in blocks:
            XIANGQI.legal(block)

    def arrays() -> None:
        for block in blocks[:16]:
            XIANGQI.pseudo_legal(block)

    def replayed() -> None:
        replay(XIANGQI, moves, lengths)

    # In turns, and the median: others who use the machine meanwhile disturb a single comparison.
    works = (compiled, arrays, replayed, by_pyffish)
    times = np.array([[seconds(work, tries=1) for work in works] for _ in range(5)])
    some = sum(len(block["turn"]) for block in blocks[:16])
    exact, pseudo, replays, theirs = np.array([[len(moves)], [some], [len(moves)], [ASKED]]) / times.T
    for name, ours in (("exact legality", exact), ("pseudo-legal moves by NumPy", pseudo)):
        ratio = np.median(ours / theirs)
        print(f"xiangqi, {source}, {name}: {np.median(ours):,.0f} positions/s, {ratio:.0f}× pyffish")
    print(f"xiangqi, {source}, replay to rows: {np.median(replays):,.0f} positions/s")
