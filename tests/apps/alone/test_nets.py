"""A net in the browser answers as in Python: probabilities, expectations, attention."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser

from tests.apps.alone.conftest import site_of
from tests.apps.alone.golden import known
from tests.apps.alone.worker import Worker
from tests.shipped import BLOCKS, HEADS, NO_SUCH_HEAD, NO_SUCH_LAYER
from zeroply.corpus.told import told
from zeroply.games import game_named
from zeroply.games.line import follow
from zeroply.players import player_of
from zeroply.players.load import load_network
from zeroply.players.net import rated
from zeroply.players.onnx import OnnxNetwork

pytestmark = pytest.mark.browser

FLOAT = 1e-4
"""float32 nets: sums in another order. A row that differs anywhere gives far more."""
INT8 = 0.1
"""The bundled nets: a last digit that differs can tip a number to the next of 255 levels, and this goes on
through the layers. Seen: 0.04. In Python itself, the same file with onnxruntime's optimisations switched off
differs by 0.02, and another processor multiplies int8 otherwise."""
RATINGS = (None, 2300, 2650, 0)


def answers(network: OnnxNetwork, fact: dict[str, Any], rating: int | None) -> dict[str, Any]:
    position = follow(network.game.start(fact["start"]), fact["moves"])
    (glance,) = player_of(network, rating=rating).glance([position])
    shares = zip(glance.moves.tolist(), glance.probabilities.tolist(), strict=True)
    return {
        "moves": {network.game.moves.names[move]: share for move, share in shares},
        "wdl": glance.wdl,
        "expected": glance.expected,
    }


def compare(worker: Worker, model: str, network: OnnxNetwork, tolerance: float) -> None:
    """Over all golden positions with something to play, like different players."""
    facts = [fact for fact in known() if fact["game"] == network.game.name and fact["legal"]]
    ratings = RATINGS if rated(network) else (None, 0)
    cases = [(fact, ratings[number % len(ratings)]) for number, fact in enumerate(facts)]
    questions = [
        {"model": model, "fen": fact["start"], "moves": fact["moves"], "top": 500}
        | ({} if rating is None else {"rating": rating})
        for fact, rating in cases
    ]
    for (fact, rating), found in zip(cases, worker.ask("predict", questions), strict=True):
        want = answers(network, fact, rating)
        shares = {entry["move"]: entry["probability"] for entry in found["moves"]}
        assert {entry["move"]: entry["notation"] for entry in found["moves"]} == fact["legal"]
        assert shares == pytest.approx(want["moves"], abs=tolerance), fact["name"]
        assert found["wdl"] == pytest.approx(want["wdl"], abs=tolerance), fact["name"]
        assert found["expected"] == pytest.approx(want["expected"], abs=tolerance), fact["name"]


@pytest.mark.parametrize("name", ["chess", "xiangqi"])
def test_the_bundled_nets(worker: Worker, name: str) -> None:
    network = load_network(name)
    assert isinstance(network, OnnxNetwork)
    compare(worker, name, network, INT8)


SMALL = {
    "small-chess": ("intuition", "chess", {"width": "32", "depth": "2", "heads": "2", "inner": "32"}),
    "small-xiangqi": ("intuition", "xiangqi", {"width": "32", "depth": "2", "heads": "2", "inner": "32"}),
    "judge": ("centaur", "chess", {"width": "32", "depth": "1", "heads": "2", "inner": "32"}),
}
"""Recipe, game and options by name; the last one proposes no moves, so that it looks one ply ahead."""


def exported(name: str, folder: Path) -> Path:
    """A small net in float32 that looks at everything and knows nothing: no weight of it is 0."""
    import torch

    from zeroply.recipes import find_recipe, save
    from zeroply.training.export import export

    recipe, game, options = SMALL[name]
    torch.manual_seed(0)
    system = find_recipe(recipe).make(game_named(game), options)
    with torch.no_grad():
        for weight in system.net.parameters():
            weight.add_(0.3 * torch.randn_like(weight))
    save(system, folder / "net.safetensors", {"rated": True})
    export(folder / "net.safetensors", folder / f"{name}.onnx")
    return folder / f"{name}.onnx"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("small")
    return {name: exported(name, folder) for name in SMALL}


@pytest.fixture(scope="module")
def small_worker(
    browser: Browser, runtime: None, small: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Worker]:
    models = [str(path) for path in small.values()]
    with (
        site_of(models, tmp_path_factory.mktemp("site")) as address,
        Worker.open(browser, address) as worker,
    ):
        yield worker


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_a_net_in_float32(small_worker: Worker, small: dict[str, Path], name: str) -> None:
    compare(small_worker, name, OnnxNetwork(small[name]), FLOAT)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["small-chess", "small-xiangqi"])
def test_every_column_of_a_row_counts(small: dict[str, Path], name: str) -> None:
    """Or the comparison would not see a column that is wrong."""
    network = OnnxNetwork(small[name])
    row = network.game.start().row(network.history) | told(1)
    before = network(row)["policy"]
    for column in network.reads:
        values = np.array(row[column])
        values.reshape(-1)[0] += 1
        assert np.abs(network(row | {column: values})["policy"] - before).max() > 10 * FLOAT, column


@pytest.mark.slow
@pytest.mark.parametrize("name", ["small-chess", "small-xiangqi"])
@pytest.mark.parametrize("head", [None, 1])
def test_attention(small_worker: Worker, small: dict[str, Path], name: str, head: int | None) -> None:
    """For both sides to move: for one of them the net turns the board."""
    network = OnnxNetwork(small[name])
    game, squares = network.game, network.game.files * network.game.ranks
    for moves in ([], [game.moves.names[game.start().legal()[0]]]):
        (found,) = small_worker.ask("attention", [{"model": name, "moves": moves, "layer": 1, "head": head}])
        assert (found["layers"], found["heads"]) == (2, 2)
        told_ = player_of(network).told
        inside = network.look_inside(follow(game.start(), moves).row(network.history) | told(1, **told_))
        weights = inside.attention[1][0].mean(0) if head is None else inside.attention[1][0][head]
        if inside.flipped[0]:
            weights = weights[np.ix_(game.mirror, game.mirror)]
        assert np.array(found["weights"]).shape == (squares, squares)
        assert np.array(found["weights"]) == pytest.approx(weights, abs=FLOAT)


def test_what_cannot_be_shown_is_one_line(worker: Worker) -> None:
    asked: list[dict[str, Any]] = [
        {"layer": BLOCKS, "head": None},
        {"layer": 0, "head": HEADS},
        {"layer": 0, "head": 0, "model": "missing"},
    ]
    problems = [answer["problem"] for answer in worker.ask("attention", asked)]
    assert problems[0] == NO_SUCH_LAYER
    assert problems[1] == NO_SUCH_HEAD
    assert "there is no model 'missing' here" in problems[2]
