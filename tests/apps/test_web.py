"""The API over HTTP: what it answers, what it refuses, and what browsers are told."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import chess
import numpy as np
import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.shipped import HIGHEST, KNOWS, LOWEST
from zeroply import __version__
from zeroply.apps.web import create_app
from zeroply.apps.web.messages import MESSAGE_LIMIT
from zeroply.games import Game, Rows
from zeroply.players import player_of
from zeroply.players.base import Network

SCHOLARS_MATE = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]


@pytest.fixture(scope="module")
def client(network: Network) -> Iterator[TestClient]:
    with TestClient(create_app({"chess": network})) as client:
        yield client


@pytest.mark.parametrize("path", ["/api/predict", "/api/attention"])
def test_questions_are_posted(client: TestClient, path: str) -> None:
    for method in ("GET", "PUT", "DELETE"):
        answer = client.request(method, path)
        assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
        assert answer.json()["detail"].startswith("use POST: send a JSON object")
    assert client.head(path).status_code == 405
    assert client.get("/api/none").status_code == 404


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("{bad", "application/json"),
        ("[1]", "application/json"),
        ("", "application/json"),
        ('{"moves": []}', None),
    ],
)
def test_what_is_no_json_object_is_told_what_to_send(
    client: TestClient, content: str, kind: str | None
) -> None:
    headers = {} if kind is None else {"Content-Type": kind}
    answer = client.post("/api/predict", content=content, headers=headers)
    assert answer.status_code == 422
    assert answer.json()["detail"] == (
        'send a JSON object such as {"moves": []}, with the header Content-Type: application/json'
    )
    assert client.post("/api/predict", json={"moves": 3}).json()["detail"].startswith("moves: ")


def test_models_are_listed(client: TestClient, network: Network) -> None:
    answer = client.get("/api/models").json()
    assert answer["version"] == __version__
    (model,) = answer["models"]
    assert (model["name"], model["game"]) == ("chess", "chess")
    assert model["recipe"] == network.about["recipe"]
    assert model.get("parameters") == network.about.get("parameters")
    assert model["ratings"] == [LOWEST, HIGHEST]
    assert answer["games"] == [{"name": "chess", "files": 8, "ranks": 8, "sides": ["White", "Black"]}]


def test_predict_is_what_the_player_sees(client: TestClient, network: Network) -> None:
    line = ["e2e4", "c7c5", "g1f3"]
    answer = client.post("/api/predict", json={"moves": line, "top": 4, "rating": 2400}).json()

    position, board = network.game.start(), chess.Board()
    for move in line:
        position = position.play(network.game.moves.number(move))
        board.push_uci(move)
    (glance,) = player_of(network, rating=2400).glance([position])

    assert [move["move"] for move in answer["moves"]] == [
        network.game.moves.names[move] for move in glance.moves[:4]
    ]
    assert [move["notation"] for move in answer["moves"]] == [
        board.san(chess.Move.from_uci(move["move"])) for move in answer["moves"]
    ]
    assert [move["probability"] for move in answer["moves"]] == pytest.approx(list(glance.probabilities[:4]))
    assert answer["wdl"] == pytest.approx(glance.wdl)


def test_predict_weighs_all_legal_moves_and_no_other(client: TestClient) -> None:
    fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    answer = client.post("/api/predict", json={"fen": fen, "top": 500}).json()
    assert {move["move"] for move in answer["moves"]} == {move.uci() for move in chess.Board(fen).legal_moves}
    assert sum(move["probability"] for move in answer["moves"]) == pytest.approx(1)
    assert sum(answer["wdl"]) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    ("request_body", "hint"),
    [
        ({"fen": "no position"}, "'no position' is not a chess position"),
        ({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, "cannot arise in chess"),
        ({"fen": "<script>"}, "fen: a FEN holds only"),
        ({"fen": "k7/8/8/8/8/8/8/K6R w - - 0 99999"}, "fen: a counter"),
        ({"fen": "k7/8/8/8/8/8/8/K6R w - - 99999 1"}, "fen: a counter"),
        ({"fen": "8" * 151}, "fen: String should have at most 150"),
        ({"moves": ["e2e5"]}, "ply 1: 'e2e5' is not legal in rnbqkbnr"),
        ({"moves": ["castle!"]}, "ply 1: 'castle!' is not legal in rnbqkbnr"),
        ({"moves": ["e2e4"] * 1001}, "moves: List should have at most 1000"),
        ({"moves": SCHOLARS_MATE}, "nothing to play in r1bqkb1r/pppp1Qpp/2n2n2"),
        ({"model": "xyz"}, "there is no model 'xyz' here. Known: chess"),
        ({"top": 0}, "top: Input should be greater than or equal to 1"),
        ({"rating": -5}, "rating: Input should be"),
        ({"rating": 10**9}, "rating: Input should be"),
        ({"rating": LOWEST - 1}, f"rating {LOWEST - 1} will not do: {KNOWS}"),
        ({"rating": HIGHEST + 1}, f"rating {HIGHEST + 1} will not do: {KNOWS}"),
        ({"fne": "typing error"}, "fne: Extra inputs are not permitted"),
        ([], "send a JSON object"),
    ],
)
def test_bad_requests_get_one_readable_line(client: TestClient, request_body: Any, hint: str) -> None:
    answer = client.post("/api/predict", json=request_body)
    assert answer.status_code == 422
    assert hint in answer.json()["detail"]
    assert "\n" not in answer.json()["detail"]


@pytest.mark.parametrize(
    "body", [b"", b"{", b'{"rating": NaN}', b'{"top": Infinity}', b"\xff\xfe", b"[" * 10_000]
)
def test_what_is_no_json_is_refused(client: TestClient, body: bytes) -> None:
    answer = client.post("/api/predict", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert isinstance(answer.json()["detail"], str)


FEN_LIKE = st.text(alphabet="kqrbnpKQRBNPwb12345678/ -0", max_size=90)
PLACEMENT = st.lists(st.text(alphabet="kqrbnpKQRBNP1248", max_size=8), min_size=8, max_size=8).map("/".join)
FIELDS = st.tuples(
    PLACEMENT,
    st.sampled_from("wb"),
    st.sampled_from(["-", "KQkq", "Kq", "HAha"]),
    st.sampled_from(["-", "e3", "d6", "a9"]),
    st.integers(-1, 9999).map(str),
    st.integers(-1, 9999).map(str),
).map(" ".join)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(fen=FEN_LIKE | FIELDS)
def test_no_fen_brings_the_server_down(client: TestClient, fen: str) -> None:
    assert client.post("/api/predict", json={"fen": fen}).status_code in (200, 422)


@pytest.mark.parametrize("chunked", [False, True])
def test_a_huge_body_is_refused_even_without_a_declared_length(client: TestClient, chunked: bool) -> None:
    body = json.dumps({"fen": "8" * MESSAGE_LIMIT}).encode()
    content: Any = iter([body[:100], body[100:]]) if chunked else body
    answer = client.post("/api/predict", content=content, headers={"content-type": "application/json"})
    assert answer.status_code == 413
    assert str(MESSAGE_LIMIT) in answer.json()["detail"]


@pytest.mark.parametrize("path", ["/", "/page.js", "/api/models", "/nowhere"])
def test_browsers_are_told_what_the_page_may_do(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer"
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


@pytest.mark.parametrize(
    "path", ["/../server.py", "/%2e%2e/server.py", "/..%2f..%2fserver.py", "//etc/passwd"]
)
def test_only_built_files_are_served(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_exactly_these_routes(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    assert {(path, verb) for path, verbs in document["paths"].items() for verb in verbs} == {
        ("/api/models", "get"),
        ("/api/predict", "post"),
        ("/api/attention", "post"),
    }
    assert client.get("/docs").status_code == 404
    assert client.get("/redoc").status_code == 404


class Watched:
    """The real net, which also notes who runs it and how many at once."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._inside = 0
        self.most_at_once = 0
        self.threads: set[int] = set()

    @property
    def game(self) -> Game:
        return self._network.game

    @property
    def history(self) -> int:
        return self._network.history

    @property
    def reads(self) -> tuple[str, ...]:
        return self._network.reads

    @property
    def outputs(self) -> tuple[str, ...]:
        return self._network.outputs

    @property
    def about(self) -> Mapping[str, Any]:
        return self._network.about

    def __call__(self, rows: Rows) -> dict[str, NDArray[np.float32]]:
        self._inside += 1
        self.most_at_once = max(self.most_at_once, self._inside)
        self.threads.add(threading.get_ident())
        threading.Event().wait(0.02)  # long enough for others to come in, if they could
        out = self._network(rows)
        self._inside -= 1
        return out


def test_forward_passes_run_one_at_a_time_and_not_in_the_loop(network: Network) -> None:
    watched = Watched(network)
    with TestClient(create_app({"chess": watched})) as client, ThreadPoolExecutor(8) as people:
        answers = list(people.map(lambda _: client.post("/api/predict", json={}).status_code, range(16)))
        loop_thread = client.portal and client.portal.call(threading.get_ident)
    assert answers == [200] * 16
    assert watched.most_at_once == 1
    assert loop_thread not in watched.threads
