"""The length of the game to come, and its loss."""

from __future__ import annotations

import math

import pytest
import torch

from zeroply.heads.scalars import PliesLeft
from zeroply.objectives.plies_left import PliesLeftError


def test_errors_are_ratios_and_games_without_a_result_do_not_count() -> None:
    rows = {"plies_left": torch.tensor([10, 1, -1], dtype=torch.int16)}
    out = {"plies_left_log": torch.tensor([20.0, 1.0, 99.0]).log()}
    assert float(PliesLeftError()(out, rows)) == pytest.approx(math.log(2) ** 2 / 2)
    assert int(PliesLeftError().counted(rows)) == 2


@pytest.mark.parametrize("left", [7, -1])
@pytest.mark.parametrize("said", [90.0, -110.0])
def test_a_wild_guess_has_a_finite_loss_and_gradient(said: float, left: int) -> None:
    head = PliesLeft(8)
    with torch.no_grad():
        list(head.parameters())[-1].fill_(said)
    out = head(torch.randn(1, 5, 8), {})
    loss = PliesLeftError()(out, {"plies_left": torch.tensor([left], dtype=torch.int16)})
    loss.backward()  # type: ignore[no-untyped-call]  # torch's own
    assert torch.isfinite(loss)
    assert (float(loss.detach()) == 0) == (left < 0)
    assert all(torch.isfinite(weight.grad).all() for weight in head.parameters() if weight.grad is not None)


def test_the_head_tells_plies_and_their_logarithm() -> None:
    torch.manual_seed(0)
    out = PliesLeft(8)(torch.randn(3, 5, 8), {})
    torch.testing.assert_close(out["plies_left"], out["plies_left_log"].exp())
