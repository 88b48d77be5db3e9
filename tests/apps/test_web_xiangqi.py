"""Both games from one server: each model brings its game, its sides, its notation and its records."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import WebSocketTestSession

from tests.shipped import HIGHEST, LOWEST
from zeroply.apps.web import create_app
from zeroply.players.base import Network

from .conftest import ask


@pytest.fixture(scope="module")
def client(network: Network, xiangqi_network: Network) -> TestClient:
    return TestClient(create_app({"chess": network, "xiangqi": xiangqi_network}))


def test_models_say_what_their_games_look_like(client: TestClient) -> None:
    answer = client.get("/api/models").json()
    assert [(model["name"], model["game"], model["ratings"]) for model in answer["models"]] == [
        ("chess", "chess", [LOWEST, HIGHEST]),
        ("xiangqi", "xiangqi", None),
    ]
    assert answer["games"][1] == {"name": "xiangqi", "files": 9, "ranks": 10, "sides": ["Red", "Black"]}


def test_the_model_brings_its_game(socket: WebSocketTestSession) -> None:
    state = ask(socket, type="new", model="xiangqi")
    assert (state["game"], state["side"], state["turn"], len(state["legal"])) == ("xiangqi", "red", "red", 44)
    state = ask(socket, type="move", move="h2e2", answers=2)
    assert (state["moves"][0]["notation"], state["turn"]) == ("C2.5", "red")
    assert all(0 < candidate["probability"] < 1 for candidate in state["candidates"])
    assert ask(socket, type="undo")["moves"] == []
    state = ask(socket, type="new", model="chess")
    assert (state["game"], state["side"], len(state["legal"])) == ("chess", "white", 20)


def test_sides_have_the_names_of_their_game(socket: WebSocketTestSession) -> None:
    state = ask(socket, type="new", model="xiangqi", side="black", answers=2)
    assert (state["side"], state["turn"], len(state["moves"])) == ("black", "black", 1)
    refused = ask(socket, type="new", model="xiangqi", side="white")
    assert refused["text"] == "'white' is no side of xiangqi. Known: red, black, random"
    assert "no side of chess" in ask(socket, type="new", model="chess", side="red")["text"]


def test_an_end_that_chess_does_not_have(socket: WebSocketTestSession) -> None:
    ask(socket, type="new", model="xiangqi", fen="4k4/R8/9/8R/9/9/9/9/9/3K5 w - - 0 1")
    over = ask(socket, type="move", move="i6f6")
    assert (over["result"], over["reason"], over["wdl"]) == ("1-0", "stalemate, which loses", [1, 0, 0])


@pytest.mark.parametrize(
    ("name", "fen", "moves", "tag", "text"),
    [
        ("chess", None, ["e2e4", "e7e5"], '[White "you"]\n[Black "zeroply chess"]', "1. e4 e5 *"),
        ("xiangqi", None, ["h2e2", "h9g7"], '[Red "you"]\n[Black "zeroply xiangqi"]', "1. H2-E2 H9-G7 *"),
        (
            "xiangqi",
            "3k5/9/9/9/9/9/9/9/9/4K3R b - - 0 7",
            ["d9d8", "i0i5"],
            '[FEN "3k5/9/9/9/9/9/9/9/9/4K3R b - - 0 7"]',
            "7... D9-D8 8. I0-I5 *",
        ),
    ],
)
def test_the_record_is_in_the_notation_of_the_game(
    socket: WebSocketTestSession, name: str, fen: str | None, moves: list[str], tag: str, text: str
) -> None:
    side = "black" if fen else None
    record = ask(socket, type="new", model=name, fen=fen, moves=moves, side=side)["record"]
    tagged, _, moved = record.partition("\n\n")
    assert tag in tagged
    assert ('[FEN "' in tagged) == (fen is not None)
    assert '[Result "*"]' in tagged
    assert moved.strip() == text


def test_a_net_that_saw_no_ratings_is_asked_for_none(
    client: TestClient, socket: WebSocketTestSession
) -> None:
    asked: dict[str, Any] = {"model": "xiangqi", "rating": 2800}
    refused = "rating 2800 will not do: this model has not learnt from ratings. Leave it out"
    for path, more in (("predict", {}), ("attention", {"layer": 0})):
        answer = client.post(f"/api/{path}", json={**asked, **more})
        assert (answer.status_code, answer.json()["detail"]) == (422, refused)
    assert ask(socket, type="new", **asked) == {"type": "error", "text": refused}
    assert ask(socket, type="analyse", record="h2e2", **asked) == {"type": "error", "text": refused}
    assert client.post("/api/predict", json={"model": "xiangqi", "rating": 0}).status_code == 200


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ({"moves": ["e2e4"]}, "ply 1: 'e2e4' is not legal in rnbakabnr"),
        ({"moves": ["h3e3"]}, "ply 1: 'h3e3' is not legal in rnbakabnr"),
        ({"moves": ["h10h9"]}, "ply 1: 'h10h9' is not legal in rnbakabnr"),
        ({"fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}, "not a xiangqi position"),
    ],
)
def test_moves_and_positions_of_the_other_game_are_refused(
    client: TestClient, body: dict[str, Any], hint: str
) -> None:
    answer = client.post("/api/predict", json={"model": "xiangqi", **body})
    assert answer.status_code == 422
    assert hint in answer.json()["detail"]


PLACEMENT = st.lists(st.text(alphabet="kabnrcpKABNRCP1239", max_size=9), min_size=10, max_size=10).map(
    "/".join
)
FEN_LIKE = st.text(alphabet="kabnrcpKABNRCPwb123456789/ -0", max_size=90)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    fen=FEN_LIKE | st.tuples(PLACEMENT, st.sampled_from(["w", "b - - 0 1", "r - - 9999 9999"])).map(" ".join)
)
def test_no_fen_brings_the_server_down(client: TestClient, fen: str) -> None:
    assert client.post("/api/predict", json={"model": "xiangqi", "fen": fen}).status_code in (200, 422)
