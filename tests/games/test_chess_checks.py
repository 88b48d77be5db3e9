"""Who is in check, for many positions at once, against python-chess."""

from __future__ import annotations

import chess
import numpy as np
import pytest
import torch

from tests.sources import CHESS
from zeroply.games import stack
from zeroply.games.chess.bulk import in_check


def test_check_is_what_python_chess_says() -> None:
    fens: list[str] = []
    for seed in range(8):
        random, board = np.random.default_rng(seed), chess.Board()
        while not board.is_game_over() and board.ply() < 150:
            fens.append(board.fen())
            moves = list(board.legal_moves)
            giving = [move for move in moves if board.gives_check(move)]
            wanted = giving if giving and random.random() < 0.5 else moves
            board.push(wanted[random.integers(len(wanted))])
    positions = [CHESS.start(fen) for fen in fens]
    checks = [position.in_check() for position in positions]
    assert 100 < sum(checks) < len(checks) - 100
    rows = stack([position.row(0) for position in positions])
    np.testing.assert_array_equal(in_check(rows), checks)
    found = in_check({name: torch.as_tensor(column) for name, column in rows.items()})
    np.testing.assert_array_equal(found.numpy(), checks)


@pytest.mark.slow
def test_check_is_found_in_a_compiled_graph() -> None:
    compiled = torch.compile(in_check, fullgraph=True, backend="aot_eager")
    for count in (2, 5):
        rows = stack([CHESS.start().row(0), CHESS.start("4k3/8/8/8/7b/8/8/4K3 w - - 0 1").row(0)] * count)
        found = compiled({name: torch.as_tensor(rows[name]) for name in ("board", "turn")})
        assert found.tolist() == [False, True] * count
