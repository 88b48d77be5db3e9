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
    "4k3/8/8/8/8/8/4P3/4K3",  # fields left out
    "4k3/8/8/8/8/8/4P3/4K3 b",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQ",
    "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",  # castling rights by the rooks' files
    "r3k2r/8/8/8/8/8/8/R3K2R b HAq - 0 1",
    "4k3/8/8/8/8/8/8/Q~3K3 w - - 0 1",  # a promoted piece
    " 4k3/8/8/8/8/8/8/4K3  w - - 0  1 ",
    "4k3/8/8/8/8/8/8/4K3 w - - ٣ 1",
]
UNSOUND = [
    "",
    "r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1",
    "x",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 " + 5000 * "9",
    "4k3/8/8/8/8/8/8/4K4 w - - 0 1",
    "4k3/8/8/8/8/8/9/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/44/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/7/4K4 w - - 0 1",
    "4k3/8/8/8/8/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - e6 0 1",
    "8/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/3KK3 w - - 0 1",
    "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/PPPPPPPP/P7/4K3 w - - 0 1",
    "4k3/8/8/8/8/NNNNNNNN/NNNNNNNN/4K3 w - - 0 1",
    "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",  # Black is in check, and White moves
    "3RkR2/8/8/8/8/8/8/4K3 b - - 0 1",  # two rooks at once
    "3RkR2/4Q3/8/8/8/8/8/4K3 b - - 0 1",
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


@pytest.mark.parametrize("fens", [[*ODD, *UNSOUND, *ODD], UNSOUND, ODD, []])
def test_what_may_be_anything_is_examined(fens: list[str]) -> None:
    found, flaws = CHESS.examined(fens)
    sound = [fen for fen in fens if is_sound(fen)]
    assert len(fens) - len(sound) == sum(fen in UNSOUND for fen in fens)
    assert {at: fens[at] for at in flaws} == {at: fen for at, fen in enumerate(fens) if not is_sound(fen)}
    for at, flaw in flaws.items():
        with pytest.raises(PositionError) as caught:
            CHESS.start(fens[at])
        assert flaw == str(caught.value)
    for name, column in CHESS.rows(sound).items():
        np.testing.assert_array_equal(found[name], column, err_msg=name)


RANKS = st.sampled_from(
    ["8", "8", "8", "4k3", "3K4", "R6r", "2q1Q3", "1n4N1", "B2b4", "pPpPpPpP", "P7", "9", "7"]
)
FENS = st.builds(
    "{} {} - - 0 1".format, st.lists(RANKS, min_size=8, max_size=8).map("/".join), st.sampled_from("wb")
)


@given(st.lists(FENS))
def test_any_board_is_judged_as_a_single_position_is(fens: list[str]) -> None:
    assert set(CHESS.examined(fens)[1]) == {at for at, fen in enumerate(fens) if not is_sound(fen)}


@settings(max_examples=30)
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
