"""Habits of `rust-pgn-reader-python-binding` that the PGN reader works around; a new one may lose them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

rust = pytest.importorskip("rust_pgn_reader_python_binding")


def chunk(*texts: str) -> Any:
    (only,) = rust.parse_games_from_strings(list(texts), num_threads=1, store_comments=True).chunks
    return only


def test_an_empty_text_is_left_out_silently() -> None:
    assert chunk("1. e4 *", "", " \n", "1. d4 *").num_games == 2
    assert chunk("1. e4 *", '[W ""]\n\n', "1. d4 *").num_games == 3


def test_a_mate_has_no_evaluation_but_its_comment() -> None:
    found = chunk("1. e4 {[%eval 0.25]} e5 {[%eval #-3]} *")
    np.testing.assert_array_equal(found.evals, [0.25, np.nan])
    assert found.comments == ["[%eval 0.25]", "[%eval #-3]"]


def test_an_illegal_game_keeps_its_first_moves_and_is_not_valid() -> None:
    found = chunk("1. e4 Ke5 *", "1. d4 *")
    assert found.valid.tolist() == [False, True]
    assert found.move_offsets.tolist() == [0, 1, 2]


def test_castling_is_the_kings_move() -> None:
    found = chunk("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O *")
    assert (found.from_squares[-1], found.to_squares[-1]) == (4, 6)


def test_text_after_a_bracket_is_lost_silently() -> None:
    assert chunk("1. e4 [ e5 2. Nf3 *").valid.tolist() == [True]
    assert chunk("1. e4 [ e5 2. Nf3 *").num_moves == 1
