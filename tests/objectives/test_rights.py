"""The thirteen rights and their loss."""

from __future__ import annotations

import math

import torch

from tests.sources import CHESS
from zeroply.objectives.rights import RightsBCE

ROWS = {
    "next_rights": torch.tensor([[1, 0, 1, 1], [0, 0, 0, 0]], dtype=torch.int8),
    "next_en_passant": torch.tensor([20, -1], dtype=torch.int8),  # e3, none
}


def test_targets_are_four_rights_one_chance_and_eight_files() -> None:
    assert RightsBCE(CHESS).targets(ROWS).tolist() == [[1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0], [0] * 13]


def test_the_loss_is_the_mean_over_yes_and_no() -> None:
    term = RightsBCE(CHESS)
    unsure = term({"next_rights": torch.zeros(2, 13)}, ROWS)
    torch.testing.assert_close(unsure, torch.tensor(math.log(2)))
    sure = 40 * (term.targets(ROWS) - 0.5)
    assert float(term({"next_rights": sure}, ROWS)) < 1e-6
    sure[1, 8] = 20.0  # one of 26 is wrong
    torch.testing.assert_close(term({"next_rights": sure}, ROWS), torch.tensor(20 / 26), atol=1e-4, rtol=0)
