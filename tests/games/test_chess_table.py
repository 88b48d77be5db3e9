"""The move table is frozen: a change would make every corpus and model unreadable."""

import chess
import numpy as np

from tests.sources import CHESS

TABLE = CHESS.moves


def test_digest_is_frozen() -> None:
    assert (len(TABLE), TABLE.digest) == (1968, "e25555119a2a")


def test_names_are_sorted_and_begin_with_a1a2() -> None:
    assert TABLE.names[0] == "a1a2"
    assert list(TABLE.names) == sorted(set(TABLE.names))


def test_arrays_agree_with_names() -> None:
    for number, name in enumerate(TABLE.names):
        move = chess.Move.from_uci(name)
        promotion = 0 if move.promotion is None else move.promotion - 1
        assert (TABLE.start[number], TABLE.end[number]) == (move.from_square, move.to_square)
        assert TABLE.promotion[number] == promotion


def test_every_move_of_a_lone_piece_is_in_the_table() -> None:
    for square in chess.SQUARES:
        for piece in (chess.QUEEN, chess.KNIGHT):
            board = chess.Board(None)
            board.set_piece_at(square, chess.Piece(piece, chess.WHITE))
            assert all(move.uci() in TABLE.numbers for move in board.pseudo_legal_moves)
    assert {"e1g1", "e8c8", "b2a1q", "h7h8n"} <= set(TABLE.names)


def test_mirror_is_its_own_inverse_and_turns_squares() -> None:
    assert np.array_equal(TABLE.mirror[TABLE.mirror], np.arange(len(TABLE)))
    assert np.array_equal(TABLE.start[TABLE.mirror], TABLE.start ^ 56)
    assert TABLE.names[TABLE.mirror[TABLE.number("e7e8q")]] == "e2e1q"
