"""Laws that hold for every recipe, tested over the registry: a new recipe is tested by existing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from tests.sources import CHESS, sample_games
from zeroply.errors import ArtefactError, RecipeError
from zeroply.games import Game, game_named, stack
from zeroply.players.onnx import OnnxNetwork
from zeroply.players.torch import TorchNetwork
from zeroply.recipes import System, find_recipe, recipes, restore, save
from zeroply.recipes.base import parameters
from zeroply.training.export import export

SMALL = {"intuition": {"width": "32", "depth": "2", "heads": "4", "inner": "64"}}
CASES = [(name, game) for name, recipe in recipes().items() for game in recipe.games]


def small(name: str, game: str) -> System:
    torch.manual_seed(0)
    system = find_recipe(name).make(game_named(game), SMALL[name])
    for module in (system.net, system.encoding):
        if isinstance(module, nn.Module):
            module.eval()
    for weight in system.net.parameters():
        nn.init.normal_(weight, std=0.1)  # biases and geometry must not hide behind zeros
    return system


def rows_of(game: Game, moves: list[int], history: int, fen: str) -> dict[str, Any]:
    rows, position = [], game.start(fen)
    for move in moves:
        rows.append(position.row(history))
        position = position.play(move)
    joined = stack(rows)
    joined["rating"] = np.resize(np.array([2400, 0, 2750], np.int16), len(moves))
    return joined


def outputs(system: System, rows: dict[str, Any]) -> dict[str, Tensor]:
    with torch.inference_mode():
        out: dict[str, Tensor] = system.net(
            system.encoding({name: torch.as_tensor(column) for name, column in rows.items()})
        )
    return out


@pytest.fixture(params=CASES, ids=lambda case: "-".join(case))
def system(request: pytest.FixtureRequest) -> System:
    return small(*request.param)


def real_game() -> tuple[str, list[int]]:
    """The longest game of the sample: where it starts, and its moves."""
    game = max(sample_games(), key=lambda game: len(game.moves))
    return game.start or CHESS.start().fen(), [int(move) for move in game.moves]


def real_rows(system: System, count: int) -> dict[str, Any]:
    start, moves = real_game()
    return rows_of(system.game, moves[:count], system.encoding.history, start)


def test_a_row_and_its_mirror_are_seen_alike(system: System) -> None:
    history, mirror = system.encoding.history, system.game.moves.mirror
    start, moves = real_game()
    there = outputs(system, rows_of(system.game, moves, history, start))
    turned_moves = [int(mirror[move]) for move in moves]
    turned = outputs(system, rows_of(system.game, turned_moves, history, mirrored_fen(start)))
    torch.testing.assert_close(
        there["policy"], turned["policy"][:, torch.as_tensor(mirror)], rtol=0, atol=1e-5
    )
    torch.testing.assert_close(there["wdl"], turned["wdl"], rtol=0, atol=1e-5)
    assert there["policy"].std(0).max() > 0.01  # and positions do differ


def mirrored_fen(fen: str) -> str:
    board, turn, rights, _, *clocks = fen.split()
    board = "/".join(reversed(board.swapcase().split("/")))
    return " ".join([board, {"w": "b", "b": "w"}[turn], "".join(sorted(rights.swapcase())), "-", *clocks])


def test_policy_is_a_distribution_over_the_table(system: System) -> None:
    policy = outputs(system, real_rows(system, 20))["policy"]
    assert policy.shape == (20, len(system.game.moves))
    assert (policy.exp().sum(1) <= 1 + 1e-4).all()


def test_save_and_restore_give_equal_outputs(system: System, tmp_path: Path) -> None:
    save(system, tmp_path / "m.safetensors", {"steps": 0})
    rows = real_rows(system, 30)
    again, about = restore(tmp_path / "m.safetensors")
    assert about["recipe"] == system.recipe
    assert again.options == system.options
    for name, value in outputs(system, rows).items():
        assert torch.equal(value, outputs(again, rows)[name])


def test_the_exported_graph_equals_torch(system: System, tmp_path: Path) -> None:
    save(system, tmp_path / "m.safetensors", {"steps": 0})
    export(tmp_path / "m.safetensors", tmp_path / "m.onnx")
    rows = real_rows(system, 50)
    ours, theirs = TorchNetwork.open(tmp_path / "m.safetensors"), OnnxNetwork(tmp_path / "m.onnx")
    for batch in (slice(0, 1), slice(0, 50)):
        part = {name: column[batch] for name, column in rows.items()}
        for name, value in ours(part).items():
            np.testing.assert_allclose(theirs(part)[name], value, atol=2e-4, err_msg=name)


def test_eight_positions_are_learnt_by_heart(system: System) -> None:
    batch = {name: torch.as_tensor(column[20:28]) for name, column in real_rows(system, 28).items()}
    batch["move"] = torch.tensor(real_game()[1][20:28])
    batch["outcome"] = torch.tensor([0, 1, 2, 0, 1, 2, 0, -1])
    optimizer = torch.optim.Adam(system.net.parameters(), lr=3e-3)
    for _ in range(200):
        loss, terms = system.objective(system.net(system.encoding(batch)), batch)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch's own
        optimizer.step()
    assert all(float(term.detach()) < 0.05 for term in terms.values())


def test_default_intuition_is_the_small_size() -> None:
    system = find_recipe("intuition").make(game_named("chess"), {})
    assert 5.5e6 < parameters(system.net) < 6.5e6


def test_unknown_recipes_and_options_are_named() -> None:
    with pytest.raises(RecipeError, match=r"no recipe 'intuitoin'\. Recipes: intuition"):
        find_recipe("intuitoin")
    with pytest.raises(RecipeError, match=r"has no option 'widht'\. Options: width"):
        find_recipe("intuition").make(game_named("chess"), {"widht": "3"})
    with pytest.raises(RecipeError, match="width=wide of 'intuition' is not a valid int"):
        find_recipe("intuition").make(game_named("chess"), {"width": "wide"})


def test_a_broken_checkpoint_is_refused(tmp_path: Path) -> None:
    system = small("intuition", "chess")
    path = tmp_path / "m.safetensors"
    save(system, path, {})
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ArtefactError, match="not a readable checkpoint"):
        restore(path)
