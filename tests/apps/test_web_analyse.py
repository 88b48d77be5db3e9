"""A pasted game over the websocket: analysed move by move, or played on."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession

from tests.players.nets import MaterialNet
from zeroply.apps.web import create_app
from zeroply.apps.web.analysis import PLIES
from zeroply.games.line import steps
from zeroply.players import player_of
from zeroply.players.base import Network

from .conftest import ask

OPERA = """[White "Morphy"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""


@pytest.fixture(scope="module")
def client(network: Network, xiangqi_network: Network) -> TestClient:
    return TestClient(create_app({"chess": network, "xiangqi": xiangqi_network}))


def analysed(socket: WebSocketTestSession, **request: Any) -> list[dict[str, Any]]:
    socket.send_json({"type": "analyse", **request})
    parts = [socket.receive_json()]
    while parts[-1]["first"] + len(parts[-1]["plies"]) < parts[-1]["total"]:
        parts.append(socket.receive_json())
    return parts


@pytest.mark.slow
def test_every_move_has_its_probability_and_rank(socket: WebSocketTestSession, network: Network) -> None:
    parts = analysed(socket, record=OPERA, rating=2400)
    assert {part["type"] for part in parts} == {"analysis"}
    assert [part["first"] for part in parts] == list(range(0, 33, PLIES))
    about = {name: parts[0][name] for name in ("game", "model", "result", "names", "total")}
    assert about == {
        "game": "chess",
        "model": "chess",
        "result": "1-0",
        "names": ["Morphy", "Duke Karl / Count Isouard"],
        "total": 33,
    }
    assert parts[0]["start"] == network.game.start().fen()
    plies = [ply for part in parts for ply in part["plies"]]
    player, names = player_of(network, rating=2400), network.game.moves.names
    for ply, (before, move, after) in zip(
        plies, steps(network.game.start(), [ply["notation"] for ply in plies]), strict=True
    ):
        (look,) = player.glance([before])
        at = look.moves.tolist().index(move)
        assert (ply["move"], ply["fen"], ply["rank"]) == (names[move], after.fen(), at + 1)
        assert ply["probability"] == pytest.approx(look.probabilities[at], abs=1e-5)
        assert ply["best"]["move"] == names[look.moves[0]]
        assert ply["best"]["probability"] == pytest.approx(look.probabilities[0], abs=1e-5)
        assert look.expected is not None
        first = look.expected if before.turn == 0 else 1 - look.expected
        assert ply["expected"] == pytest.approx(first, abs=1e-5)
    assert [part["last_expected"] for part in parts] == [None] * (len(parts) - 1) + [1.0]
    assert [part["ended"] for part in parts] == [False] * (len(parts) - 1) + [True]
    assert [ply["check"] for ply in plies] == [ply["notation"][-1] in "+#" for ply in plies]
    assert sum(ply["check"] for ply in plies) == 4


def test_a_game_that_is_not_over_ends_with_what_the_net_expects(
    socket: WebSocketTestSession, network: Network
) -> None:
    (part,) = analysed(socket, record="1. e4 e5 2. Qh5 Nf6 3. Qxe5+")
    (look,) = player_of(network).glance([network.game.start(part["plies"][-1]["fen"])])
    assert look.expected is not None
    assert part["last_expected"] == pytest.approx(1 - look.expected, abs=0.1), (
        "White is a queen up for a pawn"
    )
    assert (part["result"], part["ended"]) == (None, False)


def test_xiangqi_in_all_its_notations(socket: WebSocketTestSession) -> None:
    for record in ("1. H2-E2 H9-G7", "C2.5 H8+7", "h2e2 h9g7", "炮二平五 马8进7"):
        (part,) = analysed(socket, model="xiangqi", record=record)
        assert [ply["notation"] for ply in part["plies"]] == ["C2.5", "H8+7"]
        assert 0 <= part["last_expected"] <= 1


@pytest.mark.parametrize(
    ("request_body", "hint"),
    [
        ({"record": "1. e4 e5 2. Nf9"}, "ply 3: 'Nf9' is not legal"),
        ({"record": "7k/8/8/8/8/8/R7/1R5K w - - 0 1"}, "it has no moves. Paste a game"),
        ({"record": ""}, "analyse.record"),
        ({"record": "x" * 60_001}, "analyse.record"),
        ({"record": "e4", "model": "other"}, "there is no model 'other'"),
        ({"record": "e4", "rating": 4000}, "rating 4000 will not do"),
        ({}, "analyse.record: Field required"),
    ],
)
def test_a_bad_record_is_one_line(
    socket: WebSocketTestSession, request_body: dict[str, Any], hint: str
) -> None:
    answer = ask(socket, type="analyse", **request_body)
    assert answer["type"] == "error"
    assert hint in answer["text"]
    assert "\n" not in answer["text"]
    assert ask(socket, type="new")["type"] == "state"


def test_an_analysis_leaves_the_game_alone(socket: WebSocketTestSession) -> None:
    ask(socket, type="new")
    before = ask(socket, type="move", move="e2e4", answers=2)
    analysed(socket, record="d4 d5")
    assert ask(socket, type="undo")["moves"] == []
    assert before["moves"]


def test_nets_that_tell_less_analyse_too() -> None:
    for outputs in (("policy",), ("value",)):
        with TestClient(create_app({"net": MaterialNet(*outputs)})).websocket_connect("/api/game") as socket:
            (part,) = analysed(socket, record="e4 e5")
        assert (part["plies"][0]["expected"] is None) == (outputs == ("policy",))
        assert (part["last_expected"] is None) == (outputs == ("policy",))


def test_a_pasted_record_is_played_on(socket: WebSocketTestSession) -> None:
    state = ask(socket, type="new", side="white", record="1. e4 e5 2. Nf3 Nc6 *")
    assert [move["notation"] for move in state["moves"]] == ["e4", "e5", "Nf3", "Nc6"]
    assert state["turn"] == state["side"] == "white"
    state = ask(socket, type="new", side="black", record=OPERA.replace("17. Rd8# 1-0", "*"), answers=2)
    assert len(state["moves"]) == 33
    fen = "7k/8/8/8/8/8/R7/1R5K w - - 0 1"
    assert ask(socket, type="new", record=fen)["start"] == fen
    both = ask(socket, type="new", record=fen, fen=fen)
    assert both["text"].startswith("new: a record brings its start and its moves")
    assert "ply 1: 'zz'" in ask(socket, type="new", record="zz")["text"]
