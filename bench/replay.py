"""Replay of stored games to full rows, against python-chess making the same positions."""

from pathlib import Path

import chess
import numpy as np

from bench.timing import seconds
from zeroply.corpus.readers import read
from zeroply.corpus.replay import replay
from zeroply.corpus.score import Skipped
from zeroply.games import game_named

SAMPLE = Path(__file__).parent.parent / "examples" / "games.pgn"
COPIES = 200
"""The sample is small; a block of training data has about so many times its games."""


def main() -> None:
    game = game_named("chess")
    found = [item for item in read(SAMPLE, game) if not isinstance(item, Skipped) and item.start is None]
    moves = np.concatenate([np.asarray(item.moves, np.int16) for item in found])
    lengths = np.array([len(item.moves) for item in found])
    many, all_lengths = np.tile(moves, COPIES), np.tile(lengths, COPIES)
    ours = len(many) / seconds(lambda: replay(game, many, all_lengths))

    def by_python_chess() -> None:
        for item in found:
            board = chess.Board()
            for move in item.moves:
                board.is_repetition(2)
                board.push_uci(game.moves.names[int(move)])

    theirs = len(moves) / seconds(by_python_chess)
    print(f"replay to rows: {ours:,.0f} positions/s, {ours / theirs:.0f}× python-chess")
