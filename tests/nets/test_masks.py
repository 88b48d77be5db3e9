"""Causality: no answer depends on what came after it, be it moves, padding or the board."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from tests.sources import XIANGQI
from zeroply.recipes import System, find_recipe

HEADS = ("from_x", "from_y", "to_x", "to_y")
LENGTH = 15


def elephant(**changes: object) -> System:
    torch.manual_seed(0)
    options = {**find_recipe("elephant").small, **changes}
    system = find_recipe("elephant").make(XIANGQI, {name: str(value) for name, value in options.items()})
    system.net.eval()
    for weight in system.net.parameters():
        nn.init.normal_(weight, std=0.2)
    return system


def answers(system: System, past: list[int], board: Tensor | None = None) -> Tensor:
    """[H + 1, 38] all that the four heads say, of which the last len(past) + 1 mean something."""
    history = system.encoding.history
    rows = {"past": torch.tensor([([-1] * history + past)[-history:]]), "board": board}
    with torch.inference_mode():
        out = system.net(system.encoding({name: rows[name] for name in system.encoding.reads}))
    return torch.cat([out[name][0] for name in HEADS], 1)


@settings(max_examples=20)
@given(
    moves=st.lists(st.integers(0, 2085), min_size=1, max_size=LENGTH),
    other=st.integers(0, 2085),
    data=st.data(),
)
@pytest.mark.parametrize("conditioning", ["none", "board"])
def test_a_later_move_and_the_board_change_no_earlier_answer(
    conditioning: str, moves: list[int], other: int, data: st.DataObject
) -> None:
    system = elephant(conditioning=conditioning)
    at = data.draw(st.integers(0, len(moves) - 1))
    changed = [*moves[:at], other, *moves[at + 1 :]]
    boards = torch.zeros(1, 90), torch.arange(90)[None] % 15 - 7
    before, after = answers(system, moves, boards[0]), answers(system, changed, boards[1])
    first = LENGTH - len(moves)  # the answer after <start>
    torch.testing.assert_close(before[first : first + at + 1], after[first : first + at + 1])
    if moves[at] != other or conditioning == "board":
        assert not torch.equal(before[-1], after[-1])


@settings(max_examples=20)
@given(moves=st.lists(st.integers(0, 2085), max_size=LENGTH))
def test_what_training_sees_within_a_window_is_what_play_sees_at_its_end(moves: list[int]) -> None:
    """The answer after k moves of a longer sequence is that of a row which has just these k moves."""
    system = elephant()
    whole = answers(system, moves)
    for known in range(len(moves) + 1):
        alone = answers(system, moves[:known])[-1]
        torch.testing.assert_close(whole[LENGTH - len(moves) + known], alone, rtol=1e-4, atol=1e-4)


def test_padding_changes_nothing() -> None:
    long, short = elephant(), elephant(history=7)
    weights = long.net.state_dict()
    short.net.load_state_dict(weights | {"embed.place": weights["embed.place"][: 1 + 4 * 7]})
    moves = [5, 700, 1300, 2085]
    torch.testing.assert_close(answers(long, moves)[-5:], answers(short, moves)[-5:], rtol=1e-4, atol=1e-4)


def test_the_board_is_seen_by_the_row_s_own_answer() -> None:
    system = elephant(conditioning="board")
    boards = torch.zeros(1, 90), torch.zeros(1, 90)
    boards[1][0, 44] = 3
    before, after = (answers(system, [5, 700], board) for board in boards)
    assert torch.equal(before[:-1], after[:-1])
    assert not torch.allclose(before[-1], after[-1])
