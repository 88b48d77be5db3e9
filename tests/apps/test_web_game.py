"""A game over the websocket: the rules of the conversation, and what does not break it."""

from __future__ import annotations

import chess
import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from tests.players.nets import MaterialNet
from tests.shipped import HIGHEST, LOWEST
from zeroply.apps.web import create_app
from zeroply.apps.web.messages import MESSAGE_LIMIT
from zeroply.players import player_of
from zeroply.players.base import Network

from .conftest import ask

LADDER = "7k/8/8/8/8/8/R7/1R5K w - - 0 1"
"""White mates by a2a7, to which h8g8 is the only answer, and b1b8."""


@pytest.fixture(scope="module")
def client(network: Network) -> TestClient:
    return TestClient(create_app({"chess": network}))


def test_a_new_game_waits_for_the_person(socket: WebSocketTestSession) -> None:
    state = ask(socket, type="new")
    assert state["type"] == "state"
    assert state["fen"] == state["start"] == chess.STARTING_FEN
    assert (state["side"], state["turn"], state["model"], state["game"]) == (
        "white",
        "white",
        "chess",
        "chess",
    )
    assert {entry["notation"] for entry in state["legal"]} == {
        chess.Board().san(move) for move in chess.Board().legal_moves
    }
    assert (state["moves"], state["candidates"], state["wdl"]) == ([], [], None)
    assert (state["check"], state["undoable"], state["result"], state["reason"]) == (False, False, None, None)


def test_the_net_answers_and_shows_what_it_weighed(socket: WebSocketTestSession, network: Network) -> None:
    ask(socket, type="new", rating=2500, temperature=0)
    socket.send_json({"type": "move", "move": "e2e4"})
    first, second = socket.receive_json(), socket.receive_json()

    assert (first["turn"], first["legal"], first["moves"][-1]["move"]) == ("black", [], "e2e4")
    names = network.game.moves.names
    seen = network.game.start().play(network.game.moves.number("e2e4"))
    (glance,) = player_of(network, rating=2500).glance([seen])
    assert second["moves"][-1]["move"] == names[glance.moves[0]]
    assert [move["notation"] for move in second["moves"]] == ["e4", seen.notation(int(glance.moves[0]))]
    assert [entry["move"] for entry in second["candidates"]] == [names[move] for move in glance.moves[:5]]
    assert [entry["played"] for entry in second["candidates"]] == [True, False, False, False, False]
    assert [entry["probability"] for entry in second["candidates"]] == pytest.approx(
        list(glance.probabilities[:5])
    )
    assert glance.wdl is not None
    win, draw, loss = glance.wdl
    assert second["wdl"] == pytest.approx([loss, draw, win])
    assert second["turn"] == "white"
    assert second["undoable"]


def test_as_black_the_net_moves_first(socket: WebSocketTestSession) -> None:
    state = ask(socket, type="new", side="black", answers=2)
    assert (state["side"], state["turn"], len(state["moves"])) == ("black", "black", 1)
    assert not state["undoable"]
    assert ask(socket, type="undo") == {"type": "error", "text": "there is no move of yours to take back"}


def test_random_gives_both_sides(socket: WebSocketTestSession) -> None:
    sides = set()
    for _ in range(40):
        state = ask(socket, type="new", side="random")
        if state["turn"] != state["side"]:
            socket.receive_json()
        sides.add(state["side"])
    assert sides == {"white", "black"}


def test_undo_goes_back_to_the_persons_move(socket: WebSocketTestSession) -> None:
    ask(socket, type="new")
    before = ask(socket, type="move", move="e2e4", answers=2)
    legal = before["legal"][0]["move"]
    ask(socket, type="move", move=legal, answers=2)
    after = ask(socket, type="undo")
    assert after == before, "the candidates of the net's earlier move come back too"
    assert ask(socket, type="undo")["fen"] == chess.STARTING_FEN


def test_a_game_ends_by_mate_and_can_be_taken_back(socket: WebSocketTestSession) -> None:
    ask(socket, type="new", fen=LADDER)
    state = ask(socket, type="move", move="a2a7", answers=2)
    assert state["moves"][-1]["move"] == "h8g8"
    over = ask(socket, type="move", move="b1b8")
    assert over["moves"] == [
        {"move": "a2a7", "notation": "Ra7", "fen": "7k/R7/8/8/8/8/8/1R5K b - - 1 1", "check": False},
        {"move": "h8g8", "notation": "Kg8", "fen": "6k1/R7/8/8/8/8/8/1R5K w - - 2 2", "check": False},
        {"move": "b1b8", "notation": "Rb8#", "fen": "1R4k1/R7/8/8/8/8/8/7K b - - 3 2", "check": True},
    ]
    assert (over["result"], over["reason"], over["legal"], over["check"]) == ("1-0", "checkmate", [], True)
    assert over["wdl"] == [1, 0, 0]
    assert "game is over" in ask(socket, type="move", move="a7a8")["text"]
    assert "game is over" in ask(socket, type="resign")["text"]
    assert ask(socket, type="undo")["fen"] == state["fen"]


@pytest.mark.parametrize(
    ("fen", "move", "reason"),
    [
        ("7k/8/8/8/8/8/8/K5R1 w - - 99 80", "a1a2", "fifty moves without a capture or a pawn move"),
        ("7k/8/8/8/8/8/1r6/K7 w - - 0 1", "a1b2", "neither side can mate"),
        ("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "g5g6", "stalemate"),
    ],
)
def test_draws_by_rule_end_the_game(socket: WebSocketTestSession, fen: str, move: str, reason: str) -> None:
    ask(socket, type="new", fen=fen)
    over = ask(socket, type="move", move=move)
    assert (over["result"], over["reason"], over["legal"], over["wdl"]) == ("1/2-1/2", reason, [], [0, 1, 0])


def test_a_third_occurrence_is_seen_in_a_game_taken_up_again(socket: WebSocketTestSession) -> None:
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"]
    state = ask(socket, type="new", moves=[*shuffle, *shuffle])
    assert (state["result"], state["reason"]) == ("1/2-1/2", "the position occurred three times")


def test_resigning_and_thinking_better_of_it(socket: WebSocketTestSession) -> None:
    state = ask(socket, type="new", side="black", answers=2)
    over = ask(socket, type="resign")
    assert (over["result"], over["reason"], over["resigned"]) == ("1-0", "you resigned", True)
    assert (over["wdl"], over["legal"]) == ([0, 0, 1], [])
    assert ask(socket, type="undo") == state


def test_a_lost_game_is_taken_up_where_it_was(socket: WebSocketTestSession) -> None:
    state = ask(socket, type="new", side="black", moves=["e2e4", "e7e5", "g1f3"])
    assert [move["notation"] for move in state["moves"]] == ["e4", "e5", "Nf3"]
    assert (state["turn"], state["undoable"]) == ("black", True)
    state = ask(socket, type="new", moves=["e2e4"], answers=2)
    assert len(state["moves"]) == 2, "the net was to move"


def test_a_sampled_move_is_among_the_candidates(socket: WebSocketTestSession) -> None:
    lasts = set()
    for _ in range(12):
        state = ask(socket, type="new", side="black", temperature=2.0, answers=2)
        (played,) = [entry["move"] for entry in state["candidates"] if entry["played"]]
        assert played == state["moves"][-1]["move"]
        lasts.add(played)
    assert len(lasts) > 1, "variety repeats the same first move"


def test_a_state_says_when_the_rules_decided_not_the_net() -> None:
    client = TestClient(create_app({"net": MaterialNet("policy", "value")}))  # all moves are alike to it
    mated = {"fen": "6k1/5ppp/8/8/8/8/5PPP/RR4K1 w - - 0 1"}
    repeated = {"fen": "5k2/8/8/8/8/8/5PPP/R5K1 w - - 0 1", "moves": ["a1a2", "f8e8", "a2a1", "e8f8"]}
    with client.websocket_connect("/api/game") as socket:
        assert ask(socket, type="new")["because"] is None
        for position, because in ((mated, "wins_at_once"), (repeated, "gives_nothing_away")):
            state = ask(socket, type="new", side="black", answers=2, **position)
            assert not state["candidates"][0]["played"]
            assert state["because"] == because
        undone = ask(socket, type="move", move=state["legal"][0]["move"])
        assert undone["because"] == because, "as its candidates, it is told until the next move"


def test_a_low_strength_brings_its_variety(socket: WebSocketTestSession) -> None:
    def firsts(rating: int) -> set[str]:
        states = (ask(socket, type="new", side="black", rating=rating, answers=2) for _ in range(16))
        return {state["moves"][-1]["move"] for state in states}

    assert len(firsts(LOWEST)) > len(firsts(HIGHEST)) == 1


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("hello", "Invalid JSON"),
        ("[]", ""),
        ("{}", "type"),
        ('{"type": "explode"}', "'new', 'move', 'undo', 'resign', 'analyse'"),
        ('{"type": "new", "side": "green"}', "'green' is no side of chess. Known: white, black, random"),
        ('{"type": "new", "fen": "nonsense"}', "'nonsense' is not a chess position"),
        ('{"type": "new", "model": "other"}', "there is no model 'other'"),
        ('{"type": "new", "moves": ["e2e5"]}', "'e2e5' is not legal"),
        ('{"type": "new", "rating": 1500}', "rating 1500 will not do: the model knows players from 2300"),
        ('{"type": "new", "temperature": NaN}', "new.temperature"),
        ('{"type": "new", "temperature": -1}', "new.temperature"),
        ('{"type": "move", "move": "e2e5"}', "e2e5 is not legal"),
        ('{"type": "move", "move": "e7e5"}', "e7e5 is not legal"),
        ('{"type": "move", "move": "zz"}', "'zz' is not a move"),
        ('{"type": "move"}', "move.move: Field required"),
        ("[" * 10_000, ""),
        ("x" * (MESSAGE_LIMIT + 1), f"longer than {MESSAGE_LIMIT} bytes"),
        ("ü" * MESSAGE_LIMIT, f"longer than {MESSAGE_LIMIT} bytes"),
    ],
)
def test_bad_messages_are_answered_and_the_game_goes_on(
    socket: WebSocketTestSession, text: str, hint: str
) -> None:
    ask(socket, type="new")
    socket.send_text(text)
    answer = socket.receive_json()
    assert answer["type"] == "error"
    assert hint in answer["text"]
    assert "\n" not in answer["text"]
    assert ask(socket, type="move", move="e2e4", answers=2)["moves"][0]["notation"] == "e4"


def test_bytes_are_answered_too(socket: WebSocketTestSession) -> None:
    socket.send_bytes(b"\x00\xff")
    assert "JSON text" in socket.receive_json()["text"]


def test_before_a_game_there_is_nothing_to_do(socket: WebSocketTestSession) -> None:
    assert "no game yet" in ask(socket, type="undo")["text"]
    assert "no game yet" in ask(socket, type="resign")["text"]
    assert "no game yet" in ask(socket, type="move", move="e2e4")["text"]


def test_two_people_play_two_games(client: TestClient) -> None:
    with client.websocket_connect("/api/game") as one, client.websocket_connect("/api/game") as two:
        ask(one, type="new")
        ask(two, type="new", fen=LADDER)
        assert ask(one, type="move", move="e2e4", answers=2)["moves"][0]["notation"] == "e4"
        assert ask(two, type="move", move="a2a7", answers=2)["moves"][0]["notation"] == "Ra7"


@pytest.mark.parametrize(
    "origin", ["https://elsewhere.example", "http://testserver:8001", "null", "http://[", "x"]
)
def test_pages_of_other_sites_may_not_play(client: TestClient, origin: str) -> None:
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("/api/game", headers={"origin": origin}),
    ):
        pass


def test_our_own_page_may_play(client: TestClient) -> None:
    with client.websocket_connect("/api/game", headers={"origin": "http://testserver"}) as socket:
        assert ask(socket, type="new")["type"] == "state"


def test_a_net_that_does_not_tell_who_wins_can_be_played() -> None:
    for outputs in (("policy",), ("value",)):
        client = TestClient(create_app({"net": MaterialNet(*outputs)}))
        answer = client.post("/api/predict", json={"top": 3}).json()
        assert len(answer["moves"]) == 3
        assert answer["wdl"] is None
        assert (answer["expected"] is None) == (outputs == ("policy",))
        with client.websocket_connect("/api/game") as socket:
            socket.send_json({"type": "new"})
            socket.receive_json()
            socket.send_json({"type": "move", "move": "e2e4"})
            assert socket.receive_json()["turn"] == "black"
            state = socket.receive_json()
        assert len(state["candidates"]) == 5
        assert state["wdl"] is None
