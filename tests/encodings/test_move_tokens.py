"""A game's moves as tokens: by hand, and back again."""

from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from tests.sources import XIANGQI
from zeroply.encodings.move_tokens import PAD, SPECIAL, START, MoveTokens, MoveTokensAndBoard

HISTORY = 6
MOVES = st.lists(st.integers(0, len(XIANGQI.moves) - 1), max_size=HISTORY + 3)


def past_of(games: list[list[int]]) -> Tensor:
    """[B, H] as a row has it: ending at the right."""
    return torch.tensor([([-1] * HISTORY + moves)[-HISTORY:] for moves in games], dtype=torch.int16)


def test_the_seed_s_vocabulary_and_lengths() -> None:
    tokens = MoveTokens(XIANGQI, history=10).streams["tokens"]
    assert tokens.vocabulary == 3 + 9 + 10 + 9 + 10 == 41
    assert tokens.length == 1 + 10 * 4 == 41


def test_tokens_of_two_moves_by_hand() -> None:
    first, second = XIANGQI.moves.number("h2e2"), XIANGQI.moves.number("i9i8")
    found = MoveTokens(XIANGQI, history=HISTORY)({"past": past_of([[first, second], []])})
    fx, fy, tx, ty = 3, 3 + 9, 3 + 19, 3 + 28
    expected = [START, fx + 7, fy + 2, tx + 4, ty + 2, fx + 8, fy + 9, tx + 8, ty + 8]
    assert found["tokens"][0].tolist() == expected + [PAD] * 16
    assert found["tokens"][1].tolist() == [START] + [PAD] * 24
    assert found["known"].tolist() == [2, 0]
    assert not found["flipped"].any()


@given(games=st.lists(MOVES, min_size=1, max_size=4))
def test_tokens_tell_the_last_moves_from_the_left(games: list[list[int]]) -> None:
    found = MoveTokens(XIANGQI, history=HISTORY)({"past": past_of(games)})
    for tokens, moves in zip(found["tokens"].tolist(), games, strict=True):
        kept = moves[-HISTORY:]
        assert tokens[0] == START
        assert tokens[1 + 4 * len(kept) :] == [PAD] * 4 * (HISTORY - len(kept))
        names = [name_of(tokens[at : at + 4]) for at in range(1, 1 + 4 * len(kept), 4)]
        assert names == [XIANGQI.moves.names[move] for move in kept]


def name_of(tokens: list[int]) -> str:
    from_x, from_y, to_x, to_y = (
        token - SPECIAL - before for token, before in zip(tokens, (0, 9, 19, 28), strict=True)
    )
    return f"{'abcdefghi'[from_x]}{from_y}{'abcdefghi'[to_x]}{to_y}"


def test_the_board_is_told_as_codes_from_zero() -> None:
    encoding = MoveTokensAndBoard(XIANGQI, history=HISTORY)
    row = {name: torch.as_tensor(column) for name, column in XIANGQI.start().row(HISTORY).items()}
    board = encoding({name: row[name] for name in encoding.reads})["board"]
    assert torch.equal(board - 7, row["board"].long())
    assert encoding.streams["board"].vocabulary == 15 > int(board.max())
    assert int(board.min()) >= 0
