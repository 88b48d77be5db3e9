"""A larger net that begins as a smaller one: it answers as that did, and all of it learns."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.recipes.test_recipes import outputs, real_rows
from tests.sources import CHESS
from zeroply.artefacts import load_checkpoint
from zeroply.errors import RecipeError
from zeroply.recipes import System, find_recipe, save
from zeroply.training.command import main
from zeroply.training.start import Start

SMALL = {"width": "32", "depth": "3", "heads": "2", "inner": "32"}


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """A net whose parts all have something to say."""
    system = find_recipe("intuition").make(CHESS, SMALL)
    torch.manual_seed(4)
    for weight in system.net.parameters():
        torch.nn.init.normal_(weight, std=0.15)
    save(system, tmp_path / "small.safetensors", {})
    return Start.opened(tmp_path / "small.safetensors")


def larger(start: Start, **changes: str) -> System:
    system = find_recipe("intuition").make(CHESS, {**SMALL, **changes})
    start.give(system)
    return system


@pytest.mark.parametrize(
    "changes",
    [
        {"depth": "4"},
        {"depth": "8"},
        {"inner": "80"},
        {"conditioning": "players"},
        {"evaluation_weight": "0.2"},
        {"depth": "7", "inner": "48", "conditioning": "players", "evaluation_weight": "0.2"},
    ],
)
def test_it_answers_as_the_smaller_one_did(start: Start, changes: dict[str, str]) -> None:
    system = larger(start, **changes)
    rows = real_rows(system, 30)
    rows["rating"][:] = torch.arange(30) * 25 + 2100  # beyond 2875 engines are told apart from people
    before, after = outputs(start.trained, rows), outputs(system, rows)
    for name in before:
        torch.testing.assert_close(after[name], before[name], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("changes", "blamed"),
    [
        ({"depth": "2"}, "depth=3"),
        ({"inner": "16"}, "inner=32"),
        ({"width": "64", "depth": "5"}, "width=32"),
        ({"history": "6"}, "history=4"),
        ({"heads": "4"}, "heads=2"),
    ],
)
def test_what_would_be_another_net_is_refused(start: Start, changes: dict[str, str], blamed: str) -> None:
    with pytest.raises(RecipeError, match=rf"is another net: it was built with {blamed}\. Set nothing else"):
        larger(start, **changes)


@pytest.mark.slow
def test_a_run_says_that_the_net_grows_and_all_of_it_learns(
    start: Start, chess: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    options = ["depth=5", "inner=48", "conditioning=players", "plies_left_weight=0.1", "batch=64", "steps=3"]
    begin = ["--start-from", str(start.path), *(f"--set={option}" for option in options)]
    main(["intuition", str(chess), "--out", str(tmp_path / "run"), *begin])
    told = capfd.readouterr().err
    assert "small.safetensors grows from " in told
    assert "small.safetensors does not answer plies" in told
    assert ": learnt from nothing\n" in told
    weights, _ = load_checkpoint(tmp_path / "run" / "last.safetensors")
    # Of five blocks the second and the fourth are new.
    for block in (1, 3):
        assert weights[f"trunk.blocks.{block}.attention.out.weight"].abs().min() > 0
        assert weights[f"trunk.blocks.{block}.feed.2.weight"].abs().min() > 0
    assert weights["trunk.blocks.0.feed.2.weight"][:, 32:].abs().min() > 0
