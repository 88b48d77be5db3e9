"""Seed 003's 64 × 18, against a plain reading of the FEN."""

from __future__ import annotations

import numpy as np
import torch

from tests.sources import CHESS, sample_games
from zeroply.encodings.absolute_squares import AbsoluteSquares
from zeroply.games import stack

FENS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 0 9",
    "r3k2r/8/8/8/3pP3/8/8/R3K2R b Qk e3 0 9",
    "4k3/P7/8/8/8/8/7p/4K3 b - - 3 60",
]


def features(fen: str) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """As the seed describes them."""
    board, turn, rights, passant, *_ = fen.split()
    for digit in "12345678":
        board = board.replace(digit, "." * int(digit))
    table = np.zeros((64, 18), np.float32)
    for rank, line in enumerate(reversed(board.split("/"))):
        for file, piece in enumerate(line):
            if piece != ".":
                table[8 * rank + file, "PNBRQKpnbrqk".index(piece)] = 1
    table[:, 12] = turn == "w"
    for place, right in enumerate("KQkq"):
        table[:, 13 + place] = right in rights
    if passant != "-":
        table["abcdefgh".index(passant[0]) + 8 * (int(passant[1]) - 1), 17] = 1
    return table


def test_squares_are_as_the_seed_describes_them() -> None:
    positions = [CHESS.start(fen) for fen in FENS]
    game = [CHESS.start()]
    for move in sample_games()[0].moves:
        game.append(game[-1].play(int(move)))
    positions += game
    rows = stack([position.row(0) for position in positions])
    streams = AbsoluteSquares(CHESS)({name: torch.as_tensor(column) for name, column in rows.items()})
    assert not streams["flipped"].any()
    for position, found in zip(positions, streams["squares"].numpy(), strict=True):
        np.testing.assert_array_equal(found, features(position.fen()), err_msg=position.fen())
