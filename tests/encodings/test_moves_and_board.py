"""The past, the board and the rights as seed 000's text has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from tests.corpus.readers.test_castle import lines
from tests.sources import CHESS, sample_games
from zeroply.encodings.moves_and_board import MovesAndBoard
from zeroply.errors import RecipeError
from zeroply.games import stack

NONE = len(CHESS.moves)
GAME = [int(move) for move in max(sample_games(), key=lambda game: len(game.moves)).moves]

PASSANT = "e2e4 a7a6 e4e5 f7f5 e5f6 e8f7 a2a3"


def rows_of(moves: list[int], history: int) -> dict[str, Any]:
    """The positions before each of these moves, and the last."""
    rows, position = [], CHESS.start()
    for move in moves:
        rows.append(position.row(history))
        position = position.play(move)
    return stack([*rows, position.row(history)])


def encoded(rows: dict[str, Any], history: int) -> dict[str, Tensor]:
    columns = {name: torch.as_tensor(column) for name, column in rows.items()}
    streams: dict[str, Tensor] = MovesAndBoard(CHESS, history=history)(columns)
    return streams


def as_text(streams: dict[str, Tensor], move: int, at: int) -> str:
    board = ",".join(str(code - CHESS.kinds) for code in streams["board"][at].tolist())
    return f"{move}|{board}|{''.join(str(int(right)) for right in streams['rights'][at, 0])}\n"


def test_board_and_rights_are_those_of_the_text_files() -> None:
    golden = Path(__file__).parent.parent / "corpus" / "castle_first_lines.txt"
    first = [int(line.partition("|")[0]) for line in golden.read_text().splitlines()]
    passant = [CHESS.moves.number(name) for name in PASSANT.split()]
    for moves in (first, passant, GAME):
        streams = encoded(rows_of(moves, 4), 4)
        assert [as_text(streams, move, at) for at, move in enumerate(moves)] == lines(moves)
        assert not streams["flipped"].any()


@given(st.integers(0, 40), st.integers(1, 50))
def test_the_last_move_is_the_last_token_and_only_moves_are_looked_at(ply: int, history: int) -> None:
    streams = encoded(rows_of(GAME[:ply], history), history)
    past, padding = streams["past"][-1].tolist(), streams["padding"][-1].tolist()
    seen = [move for move, padded in zip(past, padding, strict=True) if not padded]
    assert seen == (GAME[:ply][-history:] or [NONE])
    assert past[-1] == seen[-1]
    assert padding == sorted(padding, reverse=True)


def test_a_past_of_no_moves_is_refused() -> None:
    with pytest.raises(RecipeError, match="history=0 leaves no room for the last move"):
        MovesAndBoard(CHESS, history=0)
