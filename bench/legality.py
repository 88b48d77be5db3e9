"""Exact legal moves of many positions at once, against python-chess listing them for the same positions."""

from pathlib import Path

import chess
import numpy as np

from bench.timing import seconds
from zeroply.corpus.readers import read
from zeroply.corpus.replay import replay
from zeroply.corpus.score import Skipped
from zeroply.games import game_named

SAMPLE = Path(__file__).parent.parent / "examples" / "games.pgn"
BLOCK = 4096
PASSES = 30
"""Compiled code takes the sample so often, to work about as long as python-chess."""


def main() -> None:
    game = game_named("chess")
    found = [item for item in read(SAMPLE, game) if not isinstance(item, Skipped) and item.start is None]
    moves = np.concatenate([np.asarray(item.moves, np.int16) for item in found])
    rows = replay(game, moves, np.array([len(item.moves) for item in found])).state
    blocks = [
        {name: column[first : first + BLOCK] for name, column in rows.items()}
        for first in range(0, len(moves), BLOCK)
    ]
    boards = []
    for item in found:
        board = chess.Board()
        for move in item.moves:
            boards.append(board.copy(stack=False))
            board.push_uci(game.moves.names[int(move)])

    count = sum(int(game.legal(block).sum()) for block in blocks)  # also compiles
    assert count == sum(board.legal_moves.count() for board in boards)

    def compiled() -> None:
        for block in blocks * PASSES:
            game.legal(block)

    def arrays() -> None:
        for block in blocks:
            game.pseudo_legal(block)

    def python_chess() -> None:
        for board in boards:
            list(board.legal_moves)

    # In turns, and the median: others who use the machine meanwhile disturb a single comparison.
    times = np.array(
        [[seconds(work, tries=1) for work in (compiled, arrays, python_chess)] for _ in range(5)]
    )
    exact, pseudo, theirs = len(boards) * np.array([[PASSES], [1], [1]]) / times.T
    for name, ours in (("exact legality", exact), ("pseudo-legal moves by NumPy", pseudo)):
        ratio = np.median(ours / theirs)
        print(f"{name}: {np.median(ours):,.0f} positions/s, {ratio:.1f}× python-chess' exact ones")
