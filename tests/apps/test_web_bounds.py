"""What one client may ask for, and by which name."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, ExitStack
from typing import ClassVar, cast

import pytest
from fastapi import WebSocket
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tests.players.nets import MaterialNet
from zeroply.apps.web import bounds, create_app, game, guard
from zeroply.apps.web.bounds import Allowance, Clients, TooManyGamesError
from zeroply.apps.web.game import Conversation
from zeroply.apps.web.guard import LOOPBACK
from zeroply.apps.web.serving import _names
from zeroply.apps.web.turns import Turns
from zeroply.apps.web.work import Work

from .conftest import ask

SHUFFLE = ["g1f3", "g8f6", "f3g1", "f6g8"]


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


def test_plies_are_charged(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "PLIES_OF_ONE", 4)
    found = [client.post("/api/predict", json={"moves": SHUFFLE * 2}).status_code for _ in range(2)]
    assert found == [200, 429], "one for itself and two for its eight plies, of three"


class Waits:
    """Of the conversation: how long it slept before each message, without sleeping."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds, self._sleep = list[float](), asyncio.sleep
        monkeypatch.setattr("zeroply.apps.web.game.asyncio.sleep", self)

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        await self._sleep(0)


def test_messages_beyond_the_allowance_wait_and_bytes_are_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game, "MESSAGES", 0.001)
    monkeypatch.setattr(game, "MESSAGES_AT_ONCE", 3.0)
    monkeypatch.setattr(game, "BYTES_OF_ONE", 100)
    waits = Waits(monkeypatch)
    client = TestClient(create_app({"net": MaterialNet("policy")}))
    with client.websocket_connect("/api/game") as socket:
        for text in ("x" * 100, "x", "x" * 200):
            socket.send_text(text)
            assert socket.receive_json()["type"] == "error"
    assert waits.seconds[0] == 0, "two of three"
    assert waits.seconds[1] == pytest.approx(10, abs=1), "a hundredth beyond"
    assert waits.seconds[2] == pytest.approx(3010, abs=3), "three beyond"


def test_who_does_not_read_is_not_waited_for_beyond_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game, "PATIENCE", 0.01)

    class Deaf:
        """A websocket whose answers are never read."""

        scope: ClassVar = {"client": ("10.0.0.1", 1)}

        async def accept(self) -> None: ...

        async def receive(self) -> dict[str, str]:
            return {"type": "websocket.receive", "text": "x"}

        async def send_text(self, text: str) -> None:
            await asyncio.Event().wait()

    deaf, clients = cast(WebSocket, Deaf()), Clients()
    asyncio.run(asyncio.wait_for(Conversation(deaf, {}, Work(), clients).hold(), 30))
    assert not clients._games, "its place is free"


def test_who_asks_little_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "PACE_OF_CLIENT", 1e-9)
    monkeypatch.setattr(bounds, "PACE_OF_CLIENT_AT_ONCE", 2.0)
    monkeypatch.setattr(game, "PACE", 1e-9)
    monkeypatch.setattr(game, "PACE_AT_ONCE", 1.0)
    seen, turn = list[tuple[str, bool]](), Turns.turn

    def watched(turns: Turns, address: str, *, first: bool) -> AbstractAsyncContextManager[None]:
        seen.append((address, first))
        return turn(turns, address, first=first)

    monkeypatch.setattr(Turns, "turn", watched)
    client = TestClient(create_app({"net": MaterialNet("policy")}))
    with client.websocket_connect("/api/game") as socket:
        ask(socket, type="new")
        for _ in range(2):
            client.post("/api/predict", json={})
        ask(socket, type="resign")
    one = ("testclient", True)
    assert seen == [one, one, one, one, ("testclient", False)], "a game, two questions, one thing too many"


@pytest.fixture(scope="module")
def named() -> TestClient:
    return TestClient(create_app({"net": MaterialNet("policy")}, hosts=LOOPBACK))


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8000", "localhost", "localhost:1", "[::1]:8000", "LOCALHOST:80", "192.168.0.7:8000"]
)
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


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.0.7", "Table.example"])  # noqa: S104 (none is bound)
def test_others_call_the_server_by_number_or_by_the_name_it_was_given(host: str) -> None:
    client = TestClient(create_app({"net": MaterialNet("policy")}, hosts=_names(host)))
    for name in (host, "192.168.0.9:8000", "[fe80::1]", "localhost"):
        assert client.get("/api/models", headers={"host": name}).status_code == 200
    assert client.get("/api/models", headers={"host": "evil.example"}).status_code == 403
