"""Replay against python-chess, and NumPy against torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import chess
import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from bench.replay import Bitboards, by_python_chess
from tests.sources import CHESS, games_of, sample_games, shared
from zeroply.corpus.replay import Replayed, Starts, replay
from zeroply.corpus.score import Score
from zeroply.games import stack
from zeroply.games.base import Array

HISTORY = 5

EN_PASSANT = {
    "taken": "e2e4 a7a6 e4e5 d7d5 e5d6 e7d6",
    "not there without a neighbour": "e2e4 e7e5 g1f3 b8c6",
    "pinned along the rank": (
        "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1",
        "e2e4 a4a3",
    ),
    "the only way out of check": ("8/8/8/2k5/3p4/8/4P3/4K3 w - - 0 1", "e2e4 d4e3"),
    "two takers, one pinned": ("4k3/8/8/8/2p1p3/8/3P4/K3R3 w - - 0 1", "d2d4 c4d3"),
    "one taker, pinned": ("4k3/8/8/8/4p3/8/3P4/K3R3 w - - 0 1", "d2d4 e8e7"),
}


def replayed(games: Sequence[Score], place: Callable[[NDArray[Any]], Array] = np.asarray) -> Replayed:
    lengths = np.array([len(game.moves) for game in games])
    moves = place(np.concatenate([np.asarray(game.moves, np.int16) for game in games]))
    own = [number for number, game in enumerate(games) if game.start is not None]
    if not own:
        return replay(CHESS, moves, lengths)
    rows = stack([CHESS.start(games[number].start).row(0) for number in own])
    state = {name: rows[name] for name in CHESS.columns}
    return replay(CHESS, moves, lengths, Starts(games=np.array(own), state=state))


def live_rows(games: Sequence[Score]) -> dict[str, NDArray[Any]]:
    rows = []
    for game in games:
        position = CHESS.start(game.start)
        for move in game.moves:
            rows.append(position.row(HISTORY))
            position = position.play(int(move))
    return stack(rows)


def assert_rows_equal(games: Sequence[Score]) -> None:
    stored = replayed(games).take(np.arange(sum(len(game.moves) for game in games)), HISTORY)
    for name, column in live_rows(games).items():
        assert stored[name].dtype == column.dtype, name
        np.testing.assert_array_equal(stored[name], column, err_msg=name)


def test_stored_rows_equal_live_rows_on_real_games() -> None:
    assert_rows_equal(sample_games()[:40])


@pytest.mark.slow
def test_stored_rows_equal_live_rows_on_masters_games() -> None:
    assert_rows_equal(games_of(shared("twic-sample.pgn.xz"), 500))


def assert_equal_to_python_chess(games: Sequence[Score]) -> None:
    """Every column of every position, by NumPy and by torch."""
    ours = replayed(games)
    expected = by_python_chess(CHESS, games, len(ours), Bitboards)
    theirs = replayed(games, torch.as_tensor)
    assert ours.state.keys() == theirs.state.keys() == expected.keys()
    for name, column in expected.items():
        for found in (ours.state[name], theirs.state[name].numpy()):
            assert found.dtype == column.dtype, name
            np.testing.assert_array_equal(found, column, err_msg=name)
    np.testing.assert_array_equal(ours.first, theirs.first.numpy())
    np.testing.assert_array_equal(ours.game, theirs.game.numpy())


def second_halves(games: Sequence[Score]) -> list[Score]:
    """The same games from a position of their own on, with White or Black to move."""
    found = []
    for number, game in enumerate(games):
        board = chess.Board()
        half = len(game.moves) // 2 + number % 2
        for move in game.moves[:half]:
            board.push_uci(CHESS.moves.names[int(move)])
        found.append(Score(start=board.fen(), moves=list(game.moves[half:])))
    return found


@pytest.mark.slow
def test_every_position_of_5000_real_games_equals_python_chess() -> None:
    assert_equal_to_python_chess(games_of(shared("twic-sample.pgn.xz"), 5000))


def test_every_position_of_the_sample_equals_python_chess() -> None:
    assert_equal_to_python_chess(sample_games())


def test_games_with_starts_of_their_own_equal_python_chess() -> None:
    whole = sample_games()[:60]
    later = second_halves(whole)
    assert {game.start.split()[1] for game in later if game.start} == {"w", "b"}
    assert_equal_to_python_chess([game for pair in zip(whole, later, strict=True) for game in pair])


@pytest.mark.slow
def test_puzzles_equal_python_chess() -> None:
    assert_equal_to_python_chess(games_of(shared("chess-puzzles.csv.xz"), 5000))


def test_repetitions_are_not_sought_in_the_game_before() -> None:
    """Not even where a game begins with a clock that goes back beyond its start."""
    shuffle = [CHESS.moves.number(name) for name in ("e1e2", "e8e7", "e2e1", "e7e8")]
    game = Score(start="4k3/8/8/8/8/8/8/R3K3 w - - 20 40", moves=shuffle)
    assert_equal_to_python_chess([game, game])


@pytest.mark.parametrize("piece", [1, 100, 1000])
def test_games_are_the_same_in_pieces(piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = sample_games()[:30]
    games = [Score(moves=[]), *whole, Score(moves=[]), *second_halves(whole), Score(moves=[])]
    at_once = replayed(games)
    monkeypatch.setattr("zeroply.corpus.replay.PIECE", piece)
    in_pieces = replayed(games)
    for name, column in at_once.state.items():
        np.testing.assert_array_equal(in_pieces.state[name], column, err_msg=name)
    np.testing.assert_array_equal(in_pieces.first, at_once.first)


def test_no_games_and_no_moves() -> None:
    for lengths in ([], [0, 0]):
        nothing = replay(CHESS, np.zeros(0, np.int16), np.array(lengths, np.int64))
        assert len(nothing) == 0
        assert nothing.state["board"].shape == (0, 64)


@pytest.mark.parametrize("case", EN_PASSANT.values(), ids=EN_PASSANT.keys())
def test_en_passant_is_noted_only_where_it_is_legal(case: str | tuple[str, str]) -> None:
    start, names = (None, case) if isinstance(case, str) else case
    assert_rows_equal([Score(start=start, moves=[CHESS.moves.number(name) for name in names.split()])])


def test_castling_promotion_and_lost_rights() -> None:
    lines = [
        "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8 d2d3 d7d6",
        "d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 d8d7 e1c1 e8c8 h2h3 h7h6",
        "h2h4 g7g5 h4g5 h7h6 g5h6 g8f6 h6h7 f6g8 h7g8q h8h1 g8f8 e8f8",
        "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 h7h6 b7a8n h6h5",
    ]
    assert_rows_equal([Score(moves=[CHESS.moves.number(name) for name in line.split()]) for line in lines])


def test_repetitions_are_counted_within_a_game_only() -> None:
    shuffle = [CHESS.moves.number(name) for name in ("g1f3", "g8f6", "f3g1", "f6g8")]
    two_games = replayed([Score(moves=shuffle * 2), Score(moves=shuffle)])
    assert two_games.state["repeats"].tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0]


def test_numpy_and_torch_take_the_same_rows() -> None:
    games = sample_games()
    ours, theirs = replayed(games), replayed(games, torch.as_tensor)
    index = np.random.default_rng(0).integers(0, len(ours), 500)
    for name, column in ours.take(index, HISTORY).items():
        np.testing.assert_array_equal(
            column, theirs.take(torch.as_tensor(index), HISTORY)[name].numpy(), name
        )
