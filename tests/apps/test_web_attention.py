"""Where a net looks, over HTTP."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np
import pytest
from fastapi.testclient import TestClient

from tests.players.nets import MaterialNet
from tests.shipped import BLOCKS, HEADS, NO_SUCH_HEAD, NO_SUCH_LAYER
from zeroply.apps.web import create_app
from zeroply.games import Rows
from zeroply.players.base import Inside, Layer, Network


@pytest.fixture(scope="module")
def client(network: Network, xiangqi_network: Network) -> TestClient:
    nets = {"chess": network, "xiangqi": xiangqi_network, "closed": MaterialNet("policy")}
    return TestClient(create_app(nets))


def test_models_say_how_deep_one_can_look(client: TestClient) -> None:
    models = client.get("/api/models").json()["models"]
    assert [(model["layers"], model["heads"]) for model in models] == [(BLOCKS, HEADS), (1, 2), (None, None)]


class Looking(MaterialNet):
    """Of two heads, one looks from each token at the next one, the other from each at itself; a token that is
    no square comes before the squares. The board is turned for Black."""

    layers = (Layer(heads=2, squares=tuple(range(1, 65))),)

    def look_inside(self, rows: Rows) -> Inside:
        heads = np.stack([np.roll(np.eye(65, dtype=np.float32), 1, axis=1), np.eye(65, dtype=np.float32)])
        return Inside(flipped=rows["turn"] == 1, attention=[heads[None]])


@pytest.mark.parametrize(
    ("moves", "head", "looks"),
    [
        ([], 0, {("a1", "b1"): 1, ("h1", "a2"): 1, ("g8", "h8"): 1}),
        ([], 1, {("e4", "e4"): 1, ("a1", "b1"): 0}),
        ([], None, {("a1", "b1"): 0.5, ("a1", "a1"): 0.5}),
        (["e2e4"], 0, {("a8", "b8"): 1, ("h8", "a7"): 1, ("a1", "b1"): 1, ("h1", "a2"): 0}),
    ],
)
def test_weights_are_those_of_the_net_on_the_board_that_people_see(
    moves: list[str], head: int | None, looks: dict[tuple[str, str], float]
) -> None:
    client = TestClient(create_app({"net": Looking("policy")}))
    answer = client.post("/api/attention", json={"moves": moves, "layer": 0, "head": head}).json()
    weights = answer["weights"]
    for (start, end), weight in looks.items():
        assert weights[chess.parse_square(start)][chess.parse_square(end)] == weight
    assert np.shape(weights) == (64, 64)
    assert (answer["layers"], answer["heads"]) == (1, 2)


def test_a_real_net_looks_at_squares_alone(client: TestClient) -> None:
    answer = client.post("/api/attention", json={"moves": ["e2e4"], "layer": 7, "rating": 2400}).json()
    assert (answer["layers"], answer["heads"]) == (BLOCKS, HEADS)
    assert np.sum(answer["weights"], 1) == pytest.approx(np.ones(64), abs=1e-3)


def test_xiangqi_has_ninety_squares(client: TestClient) -> None:
    answer = client.post("/api/attention", json={"model": "xiangqi", "layer": 0}).json()
    assert np.shape(answer["weights"]) == (90, 90)
    assert (answer["layers"], answer["heads"]) == (1, 2)


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ({"layer": BLOCKS}, NO_SUCH_LAYER),
        ({"layer": 0, "head": HEADS}, NO_SUCH_HEAD),
        ({"layer": -1}, "layer: Input should be"),
        ({}, "layer: Field required"),
        ({"layer": 0, "model": "closed"}, "does not show where it looks"),
        ({"layer": 0, "fen": "8/8 w - - 0 1"}, "not a chess position"),
        ({"layer": 0, "top": 5}, "top: Extra inputs are not permitted"),
    ],
)
def test_what_is_not_there_is_one_line(client: TestClient, body: dict[str, Any], hint: str) -> None:
    answer = client.post("/api/attention", json=body)
    assert answer.status_code == 422
    assert hint in answer.json()["detail"]
