"""The loss over the moves that a row teaches, against a plain loop."""

from __future__ import annotations

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from tests.sources import XIANGQI
from zeroply.objectives.policy import PolicyNLL
from zeroply.objectives.sequence import AllCoordinatesRight, CoordinateNLL, taught

HISTORY = 7
SIZES = {"from_x": 9, "from_y": 10, "to_x": 9, "to_y": 10}


def some(seed: int, apart: int) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Answers and rows of 5 sequences of any length, each of which teaches some of its moves."""
    random = torch.Generator().manual_seed(seed)
    known = torch.randint(0, HISTORY + 1, (5, 1), generator=random)
    past = torch.randint(0, 2086, (5, HISTORY), generator=random)
    past = torch.where(torch.arange(HISTORY) < HISTORY - known, -1, past)
    rows = {
        "past": past.short(),
        "move": torch.randint(0, 2086, (5,), generator=random).short(),
        "taught": torch.randint(1, HISTORY + 3, (5,), generator=random).short(),
        "apart": torch.full((5,), apart).short(),
    }
    out = {
        name: torch.randn(5, HISTORY + 1, size, generator=random).log_softmax(2)
        for name, size in SIZES.items()
    }
    return out, rows


def by_hand(rows: dict[str, Tensor]) -> list[tuple[int, int, str]]:
    """Row, place and name of each move that is taught."""
    found = []
    for row in range(5):
        moves = [*rows["past"][row].tolist(), int(rows["move"][row])]
        places = range(HISTORY, -1, -int(rows["apart"][row]))[: int(rows["taught"][row])]
        found += [(row, at, XIANGQI.moves.names[moves[at]]) for at in places if moves[at] >= 0]
    return found


def digits(name: str) -> dict[str, int]:
    at = ["abcdefghi".index(name[0]), int(name[1]), "abcdefghi".index(name[2]), int(name[3])]
    return dict(zip(SIZES, at, strict=True))


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6), apart=st.sampled_from([1, 2]))
def test_losses_are_means_over_all_moves_taught(seed: int, apart: int) -> None:
    out, rows = some(seed, apart)
    lessons = by_hand(rows)
    assert int(taught(rows)[1].sum()) == len(lessons)
    for name in SIZES:
        values = [-out[name][row, place, digits(move)[name]] for row, place, move in lessons]
        torch.testing.assert_close(CoordinateNLL(XIANGQI, name)(out, rows), torch.stack(values).mean())
    right = [
        all(int(out[name][row, place].argmax()) == digits(move)[name] for name in SIZES)
        for row, place, move in lessons
    ]
    found = AllCoordinatesRight(XIANGQI)(out, rows)
    torch.testing.assert_close(found, torch.tensor(right).float().mean())


def test_one_who_knows_all_moves_is_always_right() -> None:
    out, rows = some(0, 1)
    out = {name: torch.full_like(part, -9.0) for name, part in out.items()}
    for row, place, move in by_hand(rows):
        for name, value in digits(move).items():
            out[name][row, place, value] = 0.0
    assert AllCoordinatesRight(XIANGQI)(out, rows) == 1
    assert sum(CoordinateNLL(XIANGQI, name)(out, rows) for name in SIZES) == 0


def test_of_own_moves_alone_the_four_are_together_the_move_s_nll() -> None:
    out, rows = some(1, 1)
    rows["taught"] = torch.ones(5)
    tables = {"from_x": XIANGQI.moves.start % 9, "from_y": XIANGQI.moves.start // 9}
    tables |= {"to_x": XIANGQI.moves.end % 9, "to_y": XIANGQI.moves.end // 9}
    policy = sum(out[name][:, -1, torch.as_tensor(table)] for name, table in tables.items())
    together = sum(CoordinateNLL(XIANGQI, name)(out, rows) for name in SIZES)
    torch.testing.assert_close(together, PolicyNLL()({"policy": torch.as_tensor(policy)}, rows))
