"""Games and analyses as the worker tells them: the same messages as the server's."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shipped import HIGHEST, LOWEST
from zeroply.apps.pasted import Pasted, read_pasted
from zeroply.apps.web.messages import New, Predict
from zeroply.apps.web.questions import predict
from zeroply.apps.web.session import Session
from zeroply.errors import ZeroplyError
from zeroply.games import game_named
from zeroply.games.line import follow
from zeroply.players.load import load_network

from .worker import Worker

pytestmark = pytest.mark.browser


LINES = {"chess": ["e2e4", "c7c5", "g1f3", "d7d6"], "xiangqi": ["h2e2", "h9g7", "h0g2", "c6c5"]}


def reply(worker: Worker, **request: Any) -> dict[str, Any]:
    """The state after the net's first move."""
    last: dict[str, Any] = worker.play({"type": "new", **request}, answers=2)[-1]
    return last


@pytest.mark.parametrize("name", ["chess", "xiangqi"])
def test_a_state_has_what_the_servers_has(worker: Worker, name: str) -> None:
    *moves, moved = LINES[name]
    session = Session.open({name: load_network(name)}, New(type="new", model=name, side="black", moves=moves))
    want = session.state().model_dump(mode="json")
    assert worker.begin(model=name, side="black", moves=moves) == want
    first = game_named(name).sides[0].lower()
    _, resigned, again = worker.play(
        {"type": "new", "model": name, "side": first, "moves": [*moves, moved]},
        {"type": "resign"},
        {"type": "undo"},
    )
    assert (resigned["result"], resigned["reason"], resigned["wdl"]) == ("0-1", "you resigned", [0, 0, 1])
    assert (resigned["resigned"], again["resigned"]) == (True, False)
    assert resigned["record"].rstrip().endswith("{you resigned} 0-1")
    assert (again["result"], again["undoable"]) == (None, True)


@pytest.mark.parametrize(
    ("model", "fen"),
    [
        ("chess", "7k/R7/1R6/8/8/8/8/7K w - - 0 1"),
        ("chess", "7k/8/8/8/8/1r6/r7/7K b - - 0 1"),
        ("xiangqi", "4k4/R8/1R7/9/9/9/9/9/9/3K5 w - - 0 1"),
    ],
)
def test_a_move_that_wins_at_once_is_played(worker: Worker, model: str, fen: str) -> None:
    """Even where moves are drawn freely."""
    game = game_named(model)
    turn = game.start(fen).turn
    state = reply(worker, model=model, fen=fen, side=game.sides[1 - turn].lower(), temperature=2)
    assert state["result"] == ("1-0", "0-1")[turn], state["moves"][-1]["move"]
    assert sum(candidate["played"] for candidate in state["candidates"]) == 1


@pytest.mark.parametrize(
    ("model", "fen", "moves", "because"),
    [
        ("chess", None, ["f2f3", "e7e5", "g2g4"], "wins_at_once"),
        ("chess", "7k/R7/1R6/8/8/8/8/7K w - - 0 1", [], None),
        ("chess", "7k/8/8/8/8/8/8/R6K w - - 0 1", ["a1b1", "h8g8", "b1a1", "g8h8"], "gives_nothing_away"),
        ("xiangqi", "3k5/9/RP7/9/9/9/9/9/9/4K4 w - - 0 1", [], "wins_at_once"),
    ],
)
def test_it_says_when_the_rules_decided_not_the_net(
    worker: Worker, model: str, fen: str | None, moves: list[str], because: str | None
) -> None:
    game = game_named(model)
    side = game.sides[1 - follow(game.start(fen), moves).turn].lower()
    asked: dict[str, Any] = {"model": model, "moves": moves, "side": side, "temperature": 0}
    if fen is not None:
        asked["fen"] = fen
    session = Session.open({model: load_network(model)}, New(type="new", **asked))
    session.reply()
    state = reply(worker, **asked)
    assert state["because"] == because == session.state().because


def test_a_winning_side_does_not_repeat(worker: Worker) -> None:
    game = game_named("chess")
    fen, line = "6k1/5ppp/8/8/8/8/5PPP/Q5K1 w - - 0 1", ["a1a2", "g8f8", "a2a1", "f8g8"] * 2
    position = follow(game.start(fen), line[:-1])
    assert position.turn == 1
    for temperature in (0, 1, 1, 1):
        state = reply(worker, model="chess", fen=fen, moves=line[:4], side="black", temperature=temperature)
        after = follow(game.start(fen), [*line[:4], state["moves"][-1]["move"]])
        assert after.repeats == 0, state["moves"][-1]["move"]


def test_perpetual_check_is_not_played(worker: Worker) -> None:
    """The check that would lose by the rules is left out, whatever is drawn."""
    checks = ["a7a8", "e8e9", "a8a9", "e9e8", "a9a8", "e8e9", "a8a9", "e9e8"]
    start = "9/4k4/R8/9/9/9/9/9/9/3K5 w - - 0 1"
    for temperature in (0, 2, 2):
        state = reply(worker, model="xiangqi", fen=start, moves=checks, side="black", temperature=temperature)
        assert state["moves"][-1]["move"] != "a9a8"
        assert state["result"] is None


def test_what_is_wrong_is_said_and_the_game_goes_on(worker: Worker) -> None:
    nothing, _, move, illegal, undo, unknown = worker.play(
        {"type": "move", "move": "e2e4"},
        {"type": "new", "model": "chess"},
        {"type": "move", "move": "z9z8"},
        {"type": "move", "move": "e2e5"},
        {"type": "undo"},
        {"type": "new", "model": "go"},
    )
    assert nothing["text"].startswith("there is no game yet")
    assert "'z9z8' is not a move" in move["text"]
    assert "e2e5 is not a move" in illegal["text"] or "not legal" in illegal["text"]
    assert undo["text"] == "there is no move of yours to take back"
    assert "there is no model 'go' here. Known: chess, xiangqi" in unknown["text"]


def test_a_game_that_nobody_plays_any_more_is_forgotten(worker: Worker) -> None:
    _, left = worker.play({"type": "new", "model": "chess"}, None, {"type": "undo"}, answers=2)
    assert left["text"].startswith("there is no game yet")


RECORDS = {
    "pgn": (
        "chess",
        '[White "A \\"B\\""]\n[Black "C"]\n\n1. f3 $6 e5 (1... d5 2. e4 (2. d4)) '
        "2. g4?? {a blunder; mate\nfollows} ; so\nQh4# 0-1\n",
        ["f2f3", "e7e5", "g2g4", "d8h4"],
    ),
    "a move that is not legal": ("chess", "1.e4 e5 2.Nf3 Nc6 3.O-O", None),
    "a move that nobody can write": ("chess", "1.e4 Zz9", None),
    "squares that are not legal": ("chess", "E2-E4 e1e5", None),
    "squares that are not legal in xiangqi": ("xiangqi", "h2e2 a9a5", None),
    "squares of UCI": ("xiangqi", "h2e2 h8e8", None),
    "WXF that is not legal": ("xiangqi", "C2.5 C2.8", None),
    "Chinese that is not legal": ("xiangqi", "炮二平八", None),
    "WXF that nobody can write": ("xiangqi", "C2x5", None),
    "a move of either of two": ("xiangqi", "3k5/9/9/9/4R4/9/9/4R4/9/5K3 w - - 0 1 车五平一", None),
    "a move of two": ("chess", "d4 d5 Nf3 Nf6 Nd2", None),
    "nothing": ("chess", " ", None),
    "two games": ("chess", '[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 *', None),
    "two games without tags": ("chess", "1. e4 e5\n\n1. d4 d5", None),
    "two games with results": ("chess", "1. e4 e5 1-0\n\n1. d4 d5 *", None),
    "numbers that come again": ("chess", "1. e4 (1. d4) 1... e5 {1. c4}", ["e2e4", "e7e5"]),
    "a link": ("chess", "https://lichess.org/abcdefgh", None),
    "a link without a scheme": ("xiangqi", "lichess.org/abcdefgh/black#12", None),
    "a long word": ("chess", "x" * 50_000, None),
    "a long word with letters of two units": ("xiangqi", "𝔵" * 5000, None),
    "a long FEN": ("xiangqi", "x/" * 25_000, None),
    "a variant with a long name": ("chess", f'[Variant "{"x:" * 1000}"]\n\n1. e4', None),
    "a FEN alone": ("chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", []),
    "a FEN in a tag": (
        "chess",
        '[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. a8=Q+ *',
        ["a7a8q"],
    ),
    "numbers that stick": ("chess", "1.e4 e5 2.Nf3 Nc6", ["e2e4", "e7e5", "g1f3", "b8c6"]),
    "soldiers by their numbers": ("xiangqi", "3P1k3/3P5/3P5/3P5/3P5/9/9/9/9/4K4 w - - 0 1 1. 66.5", None),
    "UCI": ("chess", "startpos moves e2e4 e7e5", ["e2e4", "e7e5"]),
    "FEN and moves": ("chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1 a8=N Kd8", ["a7a8n", "e8d8"]),
    "castling with zeros": (
        "chess",
        "e4 e5 Nf3 Nc6 Bb5 Nf6 0-0",
        ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "g8f6", "e1g1"],
    ),
    "a trailing plus": ("xiangqi", "1. C2.5+ H8+7!?", ["h2e2", "h9g7"]),
    "another variant": ("chess", '[Variant "Atomic"]\n\n1. e4 e5', None),
    "Chess960": ("chess", '[Variant "Chess960"]\n[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]\n\n*', None),
    "another game": ("chess", '[Game "Chinese Chess"]\n\n1. H2-E2 *', None),
    "chess by its name": ("chess", '[Variant "From Position"]\n[Game "12"]\n\n1. e4 *', ["e2e4"]),
    "too long": ("chess", "Nf3 Nf6 Ng1 Ng8 " * 251, None),
    "moves after the result": ("chess", "e4 1-0 e5", None),
    "a result that is none": ("chess", '[Result "foo"]\n\n1. e4 e5', ["e2e4", "e7e5"]),
    "two results": ("chess", '[Result "0-1"]\n\n1. e4 e5 1-0', ["e2e4", "e7e5"]),
    "a result alone": ("chess", "1-0", []),
    "a tag in a comment": ("chess", '1. e4 {\n[Foo "b"]\n} e5', ["e2e4", "e7e5"]),
    "a brace in a remark": ("chess", "1. e4 ; so {\ne5 2. Nf3", ["e2e4", "e7e5", "g1f3"]),
    "a remark behind a FEN": ("chess", "4k3/P7/8/8/8/8/8/4K3 w - - ; so\na8=N", ["a7a8n"]),
    "a variation that is open": ("chess", "e4 (e5", None),
    "a bracket too many": ("chess", "e4) e5", None),
    "a comment that is open": ("chess", "e4 {e5", None),
    "a comment alone": ("chess", "{nothing was played}", None),
    "lines for programs": ("chess", '% one\n[White "A"]\n\n1. e4\n% two\ne5', ["e2e4", "e7e5"]),
    "a FEN with late clocks": ("chess", '[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 99999"]\n\na8=N *', ["a7a8n"]),
    "names of one player": ("xiangqi", '[White "A"]\n[Black ""]\n\n1. C2.5', ["h2e2"]),
    "ICCS": ("xiangqi", '[Red "A"]\n[Format "ICCS"]\n\n1. H2-E2 H9-G7 *', ["h2e2", "h9g7"]),
    "WXF": ("xiangqi", "1. C2.5 H8+7", ["h2e2", "h9g7"]),
    "Chinese": ("xiangqi", "炮二平五 馬８進７", ["h2e2", "h9g7"]),
}


def pasted_or_refused(model: str, text: str) -> Pasted | str:
    """What the server reads in it, or says of it."""
    try:
        return read_pasted(game_named(model), text)
    except ZeroplyError as error:
        return str(error)


@pytest.mark.parametrize("kind", RECORDS)
def test_a_record_that_is_pasted(worker: Worker, kind: str) -> None:
    """It is read as the server reads it, and what is wrong with it is said in the same words."""
    model, text, moves = RECORDS[kind]
    state = worker.begin(model=model, record=text)
    pasted = pasted_or_refused(model, text)
    if isinstance(pasted, str):
        assert moves is None
        assert state["text"] == pasted
        return
    assert [entry["move"] for entry in state["moves"]] == moves
    assert [game_named(model).moves.names[move] for _, move in pasted.plies] == moves
    assert (state["start"], state["fen"]) == (pasted.start.fen(), pasted.last.fen())
    if moves:
        (parts,) = worker.ask("analyse", [{"model": model, "record": text}])
        names = None if pasted.names is None else list(pasted.names)
        assert (parts[0]["names"], parts[0]["result"]) == (names, pasted.result)
        assert (parts[-1]["record"], parts[-1]["ended"]) == (
            pasted.record(game_named(model)),
            pasted.last.result() is not None,
        )


def test_an_analysis(worker: Worker) -> None:
    line = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7"]
    text = f'[White "A"]\n\n{" ".join(line)}'
    (parts,) = worker.ask("analyse", [{"model": "chess", "record": text}])
    assert [(part["first"], len(part["plies"]), part["total"]) for part in parts] == [(0, 8, 10), (8, 2, 10)]
    plies = [ply for part in parts for ply in part["plies"]]
    position = game_named("chess").start()
    for ply, move in zip(plies, line, strict=True):
        number = position.number(move)
        assert (ply["notation"], ply["fen"]) == (move, position.play(number).fen())
        assert 0 < ply["probability"] <= ply["best"]["probability"]
        assert (ply["rank"] == 1) == (ply["best"]["move"] == ply["move"])
        assert 0.3 < ply["expected"] < 0.8
        position = position.play(number)
    assert parts[0]["last_expected"] is None
    assert 0.3 < parts[1]["last_expected"] < 0.8
    assert (parts[0]["names"], parts[0]["result"]) == (["A", "?"], None)


def test_a_wrong_record_names_the_move(worker: Worker) -> None:
    bad = [{"model": "chess", "record": "1. e4 e5 2. Ke3"}, {"model": "chess", "record": ""}]
    first, second = worker.ask("analyse", bad)
    assert first["problem"].startswith("ply 3: 'Ke3' is not legal in ")
    assert second["problem"] == "there is nothing to read. Paste a PGN, a list of moves or a FEN"


def test_a_record_is_no_longer_than_the_server_reads(worker: Worker) -> None:
    (answer,) = worker.ask("analyse", [{"model": "chess", "record": "x" * 60_001}])
    assert "longer than 60,000 characters" in answer["problem"]


@pytest.mark.parametrize(
    ("name", "rating"), [("chess", LOWEST - 1), ("chess", HIGHEST + 1), ("xiangqi", 2800)]
)
def test_ratings_are_refused_as_the_server_refuses_them(worker: Worker, name: str, rating: int) -> None:
    with pytest.raises(ZeroplyError) as refused:
        predict({name: load_network(name)}, Predict(rating=rating))
    (answer,) = worker.ask("predict", [{"model": name, "rating": rating}])
    assert answer["problem"] == str(refused.value)
    assert worker.begin(model=name, rating=rating)["text"] == str(refused.value)


def test_a_low_strength_brings_its_variety(worker: Worker) -> None:
    def firsts(rating: int) -> set[str]:
        states = (reply(worker, model="chess", side="black", rating=rating) for _ in range(16))
        return {state["moves"][-1]["move"] for state in states}

    assert len(firsts(LOWEST)) > len(firsts(HIGHEST)) == 1


def test_another_rating_is_another_player(worker: Worker) -> None:
    weak, best, nobody = worker.ask(
        "predict", [{"model": "chess", "top": 3, "rating": rating} for rating in (LOWEST, HIGHEST, 0)]
    )
    assert len({str(answer["moves"]) for answer in (weak, best, nobody)}) == 3
