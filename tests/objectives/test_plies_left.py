"""The length of the game to come, and its loss."""

from __future__ import annotations

import math

import pytest
import torch

from zeroply.objectives.plies_left import PliesLeftError


def test_errors_are_ratios_and_games_without_a_result_do_not_count() -> None:
    rows = {"plies_left": torch.tensor([10, 1, -1], dtype=torch.int16)}
    out = {"plies_left": torch.tensor([20.0, 1.0, 99.0])}
    assert float(PliesLeftError()(out, rows)) == pytest.approx(math.log(2) ** 2 / 2)
    assert int(PliesLeftError().counted(rows)) == 2
