"""What one client may ask for, and by which name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tests.players.nets import MaterialNet
from zeroply.apps.web import bounds, create_app, guard
from zeroply.apps.web.bounds import Allowance, Clients, TooManyGamesError
from zeroply.apps.web.guard import LOOPBACK

from .conftest import ask


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_an_allowance_fills_up_and_no_further() -> None:
    clock = Clock()
    allowance = Allowance(2.0, 10.0, clock)
    assert [allowance.take(5), allowance.take(5), allowance.take(4)] == [0, 0, 2.0]
    assert not allowance.has()
    clock.now = 3.0
    assert allowance.has(2)
    assert not allowance.has()
    clock.now = 1000.0
    assert allowance.full
    assert allowance.take(11) == 0.5


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(bounds, "REQUESTS", 1e-9)
    monkeypatch.setattr(bounds, "REQUESTS_AT_ONCE", 3.0)
    monkeypatch.setattr(bounds, "GAMES_OF_CLIENT", 2)
    monkeypatch.setattr(guard, "PENALTY", 0.0)
    with TestClient(create_app({"net": MaterialNet("policy")})) as client:
        yield client


def test_more_requests_than_allowed_are_refused_in_one_line(client: TestClient) -> None:
    found = [client.post("/api/predict", json={}) for _ in range(4)]
    assert [answer.status_code for answer in found] == [200, 200, 200, 429]
    assert found[-1].json()["detail"] == "too many requests from this address. Ask more slowly"
    assert found[-1].headers["X-Content-Type-Options"] == "nosniff"


def test_more_games_than_allowed_are_refused_and_others_go_on(client: TestClient) -> None:
    with ExitStack() as stack:
        first, _ = [stack.enter_context(client.websocket_connect("/api/game")) for _ in range(2)]
        with client.websocket_connect("/api/game") as third:
            refused = third.receive_json()
            assert refused == {
                "type": "error",
                "text": "2 games are open from testclient. Close one of them",
            }
            with pytest.raises(WebSocketDisconnect) as closed:
                third.receive_json()
            assert closed.value.code == 1013
        assert ask(first, type="new")["type"] == "state"
    with client.websocket_connect("/api/game") as again:
        assert ask(again, type="new")["type"] == "state"


def test_all_tables_may_be_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "GAMES", 3)
    clients = Clients()
    with ExitStack() as stack:
        for number in range(3):
            stack.enter_context(clients.game(f"10.0.0.{number}"))
        with pytest.raises(TooManyGamesError, match="all 3 tables are taken"), clients.game("10.0.0.9"):
            pass
    with clients.game("10.0.0.9"):
        pass


def test_addresses_that_ask_for_nothing_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "CLIENTS", 10)
    monkeypatch.setattr(bounds, "REQUESTS", 1e9)
    clients = Clients()
    for number in range(100):
        assert clients.may_ask(f"10.0.0.{number}")
    assert len(clients._requests) <= 11


@pytest.fixture(scope="module")
def named() -> TestClient:
    return TestClient(create_app({"net": MaterialNet("policy")}, hosts=LOOPBACK))


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "localhost:1", "[::1]:8000", "LOCALHOST:80"])
def test_names_of_this_machine_are_ours(named: TestClient, host: str) -> None:
    assert named.get("/api/models", headers={"host": host}).status_code == 200
    assert named.get("/", headers={"host": host}).status_code == 200
    with named.websocket_connect("/api/game", headers={"host": host, "origin": f"http://{host}"}) as socket:
        assert ask(socket, type="new")["type"] == "state"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "[", "", "localhost@evil.example"]
)
def test_a_site_that_points_its_name_here_is_refused(named: TestClient, host: str) -> None:
    for path in ("/", "/api/models", "/openapi.json"):
        answer = named.get(path, headers={"host": host})
        assert answer.status_code == 403
        assert "this server is not called" in answer.json()["detail"]
    with (
        pytest.raises(WebSocketDisconnect),
        named.websocket_connect("/api/game", headers={"host": host, "origin": f"http://{host}"}),
    ):
        pass


def test_pages_of_other_sites_may_not_ask(named: TestClient) -> None:
    headers = {"host": "127.0.0.1:8000", "origin": "https://evil.example"}
    answer = named.post("/api/predict", json={}, headers=headers)
    assert (answer.status_code, answer.json()["detail"]) == (403, "this page is of another site")
    headers["origin"] = "http://127.0.0.1:8000"
    assert named.post("/api/predict", json={}, headers=headers).status_code == 200
