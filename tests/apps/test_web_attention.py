"""Where a net looks, over HTTP."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from tests.players.nets import MaterialNet
from zeroply.apps.web import create_app
from zeroply.games.line import follow
from zeroply.players import player_of
from zeroply.players.base import Network
from zeroply.players.inside import attention_on_board


@pytest.fixture(scope="module")
def client(network: Network, xiangqi_network: Network) -> TestClient:
    nets = {"chess": network, "xiangqi": xiangqi_network, "closed": MaterialNet("policy")}
    return TestClient(create_app(nets))


def test_models_say_how_deep_one_can_look(client: TestClient) -> None:
    models = client.get("/api/models").json()["models"]
    assert [(model["layers"], model["heads"]) for model in models] == [(8, 8), (1, 2), (None, None)]


@pytest.mark.parametrize("head", [None, 5])
def test_weights_are_those_of_the_net(client: TestClient, network: Network, head: int | None) -> None:
    asked = {"moves": ["e2e4"], "layer": 7, "head": head, "rating": 2400}
    answer = client.post("/api/attention", json=asked).json()
    position = follow(network.game.start(), ["e2e4"])
    told = player_of(network, rating=2400).told
    expected = attention_on_board(network, position, told, layer=7, head=head)
    assert (answer["layers"], answer["heads"]) == (8, 8)
    np.testing.assert_allclose(answer["weights"], expected, atol=1e-5)
    assert np.sum(answer["weights"], 1) == pytest.approx(np.ones(64), abs=1e-3)


def test_xiangqi_has_ninety_squares(client: TestClient) -> None:
    answer = client.post("/api/attention", json={"model": "xiangqi", "layer": 0}).json()
    assert np.shape(answer["weights"]) == (90, 90)
    assert (answer["layers"], answer["heads"]) == (1, 2)


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ({"layer": 8}, "there is no layer 8. Layers are 0 to 7"),
        ({"layer": 0, "head": 8}, "there is no head 8. Heads are 0 to 7"),
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
