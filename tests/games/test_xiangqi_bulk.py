"""Xiangqi's move table, and games advanced in step, against pyffish's FEN after every move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from tests.games import pyffish_oracle as oracle
from tests.sources import shared
from zeroply.corpus.replay import replay
from zeroply.games.xiangqi import XIANGQI

TABLE = XIANGQI.moves


def test_the_table_is_sorted_and_names_its_squares() -> None:
    assert len(TABLE) == 2086
    assert list(TABLE.names) == sorted(set(TABLE.names))
    for name, start, end in zip(TABLE.names, TABLE.start, TABLE.end, strict=True):
        assert name == "".join("abcdefghi"[square % 9] + str(square // 9) for square in (start, end))
    assert not TABLE.promotion.any()


def test_the_table_has_the_moves_of_each_kind() -> None:
    files, ranks = abs(TABLE.end % 9 - TABLE.start % 9), abs(TABLE.end // 9 - TABLE.start // 9)
    long, short = np.maximum(files, ranks), np.minimum(files, ranks)
    assert (short == 0).sum() == 90 * 17
    assert ((long == 2) & (short == 1)).sum() == 508
    assert ((long == 1) & (short == 1)).sum() == 16  # advisors
    assert ((long == 2) & (short == 2)).sum() == 32  # elephants


def test_mirror_and_flip_turn_squares_and_moves_alike() -> None:
    squares, every = np.arange(90), np.arange(len(TABLE))
    assert TABLE.flip is not None
    np.testing.assert_array_equal(XIANGQI.mirror, (9 - squares // 9) * 9 + squares % 9)
    np.testing.assert_array_equal(XIANGQI.flip, squares // 9 * 9 + 8 - squares % 9)
    for moves, seen in ((TABLE.mirror, XIANGQI.mirror), (TABLE.flip, XIANGQI.flip)):
        np.testing.assert_array_equal(moves[moves], every)
        np.testing.assert_array_equal(TABLE.start[moves], seen[TABLE.start])
        np.testing.assert_array_equal(TABLE.end[moves], seen[TABLE.end])
    assert TABLE.names[TABLE.mirror[TABLE.number("h2e2")]] == "h7e7"
    assert TABLE.names[TABLE.flip[TABLE.number("h2e2")]] == "b2e2"


def packed(games: list[list[str]]) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """Move numbers end to end, and lengths."""
    numbers = [TABLE.number(name) for game in games for name in game]
    return np.array(numbers, np.int16), np.array([len(game) for game in games])


def positions_of(lines: Iterable[oracle.Line]) -> dict[str, NDArray[Any]]:
    """The position before each move, by pyffish."""
    return oracle.rows_of([fen for line in lines for fen in line.fens[:-1]])


def assert_replayed(lines: Sequence[oracle.Line]) -> None:
    found, wanted = replay(XIANGQI, *packed([line.moves for line in lines])).state, positions_of(lines)
    for name in ("board", "turn", "halfmove", "ply"):
        np.testing.assert_array_equal(found[name], wanted[name], name)
        assert found[name].dtype == XIANGQI.columns[name].dtype


def test_random_games_replayed() -> None:
    assert_replayed(oracle.random_lines())


@pytest.mark.slow
def test_recorded_games_replayed() -> None:
    games = oracle.recorded_games(shared("xiangqi-games.pgn.xz"), 40)
    assert_replayed([oracle.line_of(game) for game in games])


def test_the_clock_of_captures_counts_soldiers_moves_too() -> None:
    moves, lengths = packed([["a3a4", "a6a5", "a4a5", "i9i8", "h2e2"]])
    state = replay(XIANGQI, moves, lengths).state
    assert state["halfmove"].tolist() == [0, 1, 2, 0, 1]


def test_repeated_positions_are_counted() -> None:
    there_and_back = ["h2e2", "h7e7", "e2h2", "e7h7"]
    moves, lengths = packed([there_and_back * 2 + ["h2e2"], ["h2e2", "h7e7"]])
    assert replay(XIANGQI, moves, lengths).state["repeats"].tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 2, 0, 0]


def test_keys_tell_positions_apart_and_are_the_same_made_afresh() -> None:
    rows = positions_of(oracle.random_lines())
    keys = XIANGQI.steps({name: column.copy() for name, column in rows.items()}).key
    facts = [
        board.tobytes() + turn.tobytes() for board, turn in zip(rows["board"], rows["turn"], strict=True)
    ]
    assert len(set(keys.tolist())) == len(set(facts)) == len({*zip(keys.tolist(), facts, strict=True)})

    steps = XIANGQI.steps({name: column.copy() for name, column in rows.items()})
    steps.step(XIANGQI.legal(rows).argmax(axis=1))
    np.testing.assert_array_equal(steps.key, XIANGQI.steps(steps.state).key)


def test_numpy_and_torch_replay_alike() -> None:
    moves, lengths = packed([line.moves for line in oracle.random_lines()])
    ours, theirs = replay(XIANGQI, moves, lengths), replay(XIANGQI, torch.as_tensor(moves), lengths)
    for name, column in ours.state.items():
        np.testing.assert_array_equal(column, theirs.state[name].numpy(), name)
