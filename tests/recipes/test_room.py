"""A net for which the machine has no room is refused before it takes any."""

from __future__ import annotations

import pytest
import torch

from tests.sources import CHESS
from zeroply.errors import RecipeError
from zeroply.recipes import find_recipe, room
from zeroply.recipes.base import parameters

INTUITION = find_recipe("intuition")


@pytest.mark.parametrize(
    "settings",
    [
        {"width": "99999996", "heads": "4"},  # one matrix for which there is no room
        {"inner": "999999999"},
        {"width": "16384", "depth": "1000"},  # many that have room one by one
    ],
    ids=str,
)
def test_a_net_larger_than_the_machine_is_one_line(settings: dict[str, str]) -> None:
    with pytest.raises(
        RecipeError,
        match=r"^the net would have [\d,]+ parameters or more, which take [\d,]+ GB; "
        r"this machine has [\d,]+\. Choose fewer layers, or smaller ones$",
    ):
        INTUITION.make(CHESS, settings)


def test_a_matrix_beyond_all_counting_is_one_line() -> None:
    with pytest.raises(RecipeError, match=r"more parameters than can be counted\. Choose fewer layers"):
        find_recipe("minustwo").make(CHESS, {"width": "999999999", "heads": "1"})


def test_a_net_that_fits_is_as_if_nobody_had_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def made() -> dict[str, torch.Tensor]:
        torch.manual_seed(0)
        net = INTUITION.make_small(CHESS).net
        return {"next": torch.rand(1), **net.state_dict()}

    before = made()
    monkeypatch.setattr(room, "LARGE", 1000)
    after = made()
    assert all(torch.equal(before[name], weight) for name, weight in after.items())
    assert not any(weight.is_meta for weight in after.values())
    weights = parameters(INTUITION.make_small(CHESS).net)
    monkeypatch.setattr(room, "machine_memory", lambda: weights * 4)
    made()
    monkeypatch.setattr(room, "machine_memory", lambda: weights * 4 - 1)
    with pytest.raises(RecipeError, match=f"the net would have {weights:,} parameters"):
        made()


def test_a_net_that_cannot_be_measured_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one that looks at a number it has drawn: on the meta device there is none."""
    monkeypatch.setattr(room, "LARGE", 1)

    def build() -> torch.nn.Linear:
        layer = torch.nn.Linear(3, 3)
        assert layer.weight[0, 0].item() < 1
        return layer

    assert room.built_in_room(build).weight.shape == (3, 3)
