"""The numbers of seed 001, both of its tokenisations, and that they learn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from tests.recipes.test_recipes import GAMES, HARD_CHESS, outputs, small, straight, turned
from tests.sources import CHESS, SAMPLE
from zeroply.corpus.build import build
from zeroply.corpus.sample.following import following
from zeroply.corpus.sample.movers import Movers
from zeroply.corpus.score import Split
from zeroply.errors import RecipeError
from zeroply.games import stack
from zeroply.heads.rights import Rights
from zeroply.recipes import System, find_recipe, restore, save
from zeroply.recipes.base import parameters
from zeroply.recipes.plan import Epochs
from zeroply.training.command import main


def made(**settings: str) -> System:
    torch.manual_seed(0)
    small = {"width": "48", "depth": "2", "heads": "4", "inner": "96"}
    system = find_recipe("smolgen").make(CHESS, {**small, **settings})
    system.net.eval()
    return system


def test_the_default_size_is_the_seeds() -> None:
    system = find_recipe("smolgen").make(CHESS, {})
    net = system.net
    assert net.get_parameter("embed.places").shape == (84, 256)
    assert net.get_parameter("embed.squares.words").shape == (13, 256)
    assert net.get_parameter("embed.flags").shape == (1 + 4 + 9, 2, 256)
    assert net.get_parameter("embed.repeats.words").shape == (4, 256)
    assert net.get_parameter("embed.polynomial").shape == (8 + 1,)
    assert net.get_parameter("embed.stage_matrix").shape == (16, 256)
    assert net.get_parameter("trunk.0.blocks.11.attention.bias.draw.weight").shape == (64 * 64, 256)
    assert "trunk.0.blocks.12.attention.out.weight" not in dict(net.named_parameters())
    assert net.get_submodule("trunk.0.blocks.0.attention").heads == 8
    assert parameters(net) == 22_656_214
    out = outputs(system, straight(system, HARD_CHESS[1]))
    assert out["policy"].shape == (12, 1968)
    torch.testing.assert_close(out["policy"].exp().sum(1), torch.ones(12))
    assert out["next_rights"].shape == (12, 13)


def test_the_plan_is_the_seeds() -> None:
    plan = find_recipe("smolgen").make(CHESS, {}).plan
    epoch = 140_000_000 // plan.batch
    assert plan.length == Epochs(6)
    assert round(6 * epoch, -4) == 720_000
    rates = [
        plan.optimizer.rate * plan.schedule(number * epoch + within, 6 * epoch, epoch)
        for number in range(6)
        for within in (0, epoch - 1)
    ]
    assert rates == pytest.approx([4e-4] * 4 + [1e-4] * 4 + [3e-5] * 4)
    assert plan.slower == {"heads.": 0.1}
    assert plan.sampling.movers is Movers.winner


def test_rights_of_a_turned_board_are_turned_back() -> None:
    head = Rights(CHESS, 13)
    with torch.no_grad():
        head.logits.weight.copy_(torch.eye(13))
        head.logits.bias.zero_()
    seen = torch.arange(13.0).repeat(2, 1)
    facing, absolute = head(seen, {"flipped": torch.tensor([False, True])})["next_rights"].tolist()
    assert facing == list(range(13))
    assert absolute == [2, 3, 0, 1, *range(4, 13)]


def test_what_the_mover_learns_of_a_position_holds_for_its_mirror() -> None:
    """Equal losses: labels in the absolute frame, nets that face the mover."""
    system, games, losses = small("smolgen", "chess"), GAMES["chess"][:-1], []
    moves = np.concatenate([np.array(game.moves, np.int64) for game in games])
    for view, played in ((straight, moves), (turned, CHESS.moves.mirror[moves])):
        rows = stack([view(system, game) for game in games])
        columns = {name: torch.as_tensor(column) for name, column in (rows | {"move": played}).items()}
        columns = following(columns, CHESS, system.objective.reads)
        assert (columns["next_en_passant"] >= 0).sum() >= 3
        losses.append(system.objective(outputs(system, rows), columns)[1])
    for name, value in losses[0].items():
        torch.testing.assert_close(value, losses[1][name], rtol=0, atol=1e-4)


def test_absolute_positions_are_not_turned(tmp_path: Path) -> None:
    system = made(facing="absolute")
    rows = straight(system, HARD_CHESS[0])
    encoded = system.encoding({name: torch.as_tensor(column) for name, column in rows.items()})
    assert not encoded["flipped"].any()
    assert torch.equal(encoded["flags"][:, 0], torch.as_tensor(rows["turn"]).long())
    save(system, tmp_path / "m.safetensors", {})
    again = restore(tmp_path / "m.safetensors")[0]
    assert torch.equal(outputs(system, rows)["policy"], outputs(again, rows)["policy"])
    assert not torch.equal(outputs(system, rows)["policy"], outputs(made(), rows)["policy"])


def test_other_views_are_refused_by_name() -> None:
    with pytest.raises(RecipeError, match="facing=black of 'smolgen' is not one of mover, absolute"):
        made(facing="black")


@pytest.mark.slow
def test_a_short_run_learns_the_rights(tmp_path: Path) -> None:
    build(tmp_path / "corpus", [SAMPLE], CHESS, shares={Split.validation: 0.1})
    options = ["width=64", "depth=1", "heads=4", "inner=64", "batch=64", "epochs=1", "rate=0.003"]
    settings = [f"--set={option}" for option in (*options, "head_rate=1")]
    main(["smolgen", str(tmp_path / "corpus"), "--out", str(tmp_path / "run"), *settings])
    assert restore(tmp_path / "run")[1]["training"]["validation"]["validation_rights"] < 0.15
