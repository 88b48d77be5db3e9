"""SAN of many moves at once, against python-chess writing one after another."""

from __future__ import annotations

from collections.abc import Sequence

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.hard_positions import HARD
from tests.sources import CHESS, games_of, sample_games, shared
from zeroply.corpus.replay import replay
from zeroply.corpus.score import Score
from zeroply.games import stack
from zeroply.games.chess.san import sans

NAMES = CHESS.moves.names


def assert_games_are_written_alike(games: Sequence[Score]) -> None:
    moves = np.concatenate([np.asarray(game.moves, np.int16) for game in games])
    rows = replay(CHESS, moves, np.array([len(game.moves) for game in games]))
    found = iter(sans(rows.state, rows.moves))
    for game in games:
        board = chess.Board()
        for number in game.moves:
            move = chess.Move.from_uci(NAMES[int(number)])
            assert next(found) == board.san_and_push(move), board.fen()
    assert next(found, None) is None


def assert_all_moves_are_written_alike(fen: str) -> None:
    position, board = CHESS.start(fen), chess.Board(fen)
    moves = position.legal()
    if len(moves):
        found = sans(stack([position.row(0)] * len(moves)), moves)
        assert found == [board.san(chess.Move.from_uci(NAMES[move])) for move in moves]


def test_the_sample() -> None:
    assert_games_are_written_alike([game for game in sample_games() if game.start is None])


@pytest.mark.slow
def test_masters_games() -> None:
    games = games_of(shared("twic-sample.pgn.xz"))
    assert_games_are_written_alike([game for game in games if game.start is None])


CROWDED = (
    "5k2/8/8/Q2Q4/8/8/8/Q2QK3 w - - 0 1",
    "4k3/8/8/8/1N3N2/8/1N3N2/4K3 w - - 0 1",
    "1r3r2/8/8/8/k7/7K/8/1r3r2 b - - 0 1",
    "3k4/8/8/8/8/8/3r4/R3K2R w KQ - 0 1",
    "7k/P1P5/1n6/8/8/8/8/1K6 w - - 0 1",
    "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1",
    "4r1k1/8/8/8/4N3/8/8/N3K3 w - - 0 1",
)
"""Pieces of a kind in each other's way, also pinned ones; castling with check; promotions; a mate."""


VALID = [case.fen for case in HARD if chess.Board(case.fen).is_valid()]


@pytest.mark.parametrize("fen", [*CROWDED, *VALID])
def test_every_move_of_hard_positions(fen: str) -> None:
    assert_all_moves_are_written_alike(fen)


@given(st.lists(st.integers(0, 10**6), max_size=120))
def test_every_move_after_random_games(picks: list[int]) -> None:
    position = CHESS.start()
    for pick in picks:
        legal = position.legal()
        if len(legal):
            position = position.play(int(legal[pick % len(legal)]))
    assert_all_moves_are_written_alike(position.fen())


def test_no_moves_are_no_words() -> None:
    assert sans(CHESS.start().row(0), np.zeros(0, np.int16)) == []
