"""FENs of many positions at once: the same rows as one position at a time has."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.hard_positions import HARD
from tests.sources import CHESS, SAMPLE, shared
from zeroply.corpus.readers.files import open_text
from zeroply.errors import PositionError

ODD = [
    "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 3",  # en passant is possible
    "rnbqkbnr/pppp1ppp/8/4p3/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 2",  # and here it is not
    "8/8/8/1k1pP2R/8/8/8/4K3 w - d6 0 2",
    "4k3/8/8/8/8/8/8/4K2R w KQkq - 99999 99999",  # rights and numbers that cannot be
    "4k3/8/8/8/8/8/8/4K2R w K -",
    "4k3/8/8/8/8/8/8/4K2R b K - 7",
    "4k3/8/8/8/8/8/8/4K2R b - - 7 0",
]


def is_sound(fen: str) -> bool:
    try:
        CHESS.start(fen)
    except PositionError:
        return False
    return True


def assert_the_same_rows(fens: list[str]) -> None:
    found = CHESS.rows(fens)
    for name, column in CHESS.columns.items():
        wanted = np.stack([CHESS.start(fen).row(0)[name][0] for fen in fens]) if fens else found[name]
        assert found[name].dtype == column.dtype
        np.testing.assert_array_equal(found[name], wanted, err_msg=name)


@pytest.mark.parametrize(
    "fens", [ODD, [case.fen for case in HARD if is_sound(case.fen)], []], ids=["odd", "hard", "none"]
)
def test_rows_are_those_of_single_positions(fens: list[str]) -> None:
    assert_the_same_rows(fens)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 10**6), max_size=60))
def test_rows_of_random_games(picks: list[int]) -> None:
    position, fens = CHESS.start(), list[str]()
    for pick in picks:
        if not len(position.legal()):
            break
        position = position.play(int(position.legal()[pick % len(position.legal())]))
        fens.append(position.fen())
    assert_the_same_rows(fens)


def test_rows_of_the_sample_puzzles() -> None:
    with (SAMPLE.parent / "puzzles.csv").open() as file:
        assert_the_same_rows([row["FEN"] for row in csv.DictReader(file)])


@pytest.mark.slow
def test_rows_of_lichess_puzzles() -> None:
    with open_text(shared("chess-puzzles.csv.xz")) as lines:
        assert_the_same_rows([row["FEN"] for row, _ in zip(csv.DictReader(lines), range(5000), strict=False)])
