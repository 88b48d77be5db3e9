"""Exact legal moves of many positions at once, against python-chess listing them for the same positions."""

from collections.abc import Callable
from pathlib import Path

import chess
import numpy as np

from bench.timing import seconds
from zeroply.corpus.readers import Skipped, read
from zeroply.corpus.replay import replay
from zeroply.games import Rows, game_named

SAMPLE = Path(__file__).parent.parent / "examples" / "games.pgn"
BLOCK = 4096


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

    def by_blocks(moves: Callable[[Rows], object]) -> float:
        def work() -> None:
            for block in blocks:
                moves(block)

        return len(boards) / seconds(work)

    def by_python_chess() -> None:
        for board in boards:
            list(board.legal_moves)

    exact, pseudo = by_blocks(game.legal), by_blocks(game.pseudo_legal)
    theirs = len(boards) / seconds(by_python_chess)
    print(f"exact legality: {exact:,.0f} positions/s, {exact / theirs:.0f}× python-chess")
    print(
        f"pseudo-legal moves by NumPy: {pseudo:,.0f} positions/s, {pseudo / theirs:.1f}× python-chess (exact)"
    )
