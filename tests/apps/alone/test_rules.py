"""The rules in the browser are those of Python: positions of the golden file, hard ones, and random games."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np
import pytest

from tests.games.hard_positions import HARD
from tests.games.hard_xiangqi import HARD as HARD_XIANGQI
from zeroply.errors import IllegalMoveError, PositionError
from zeroply.games import Game, Position, game_named
from zeroply.games.line import follow
from zeroply.games.notation import RESULTS

from .golden import cases, facts, known
from .worker import Worker

GAMES = {name: game_named(name) for name in ("chess", "xiangqi")}
browser_only = pytest.mark.browser


def test_python_has_what_the_golden_file_has() -> None:
    made = {(case[0].name, case[1]): facts(*case) for case in cases()}
    golden = {(fact["game"], fact["name"]): fact for fact in known()}
    assert made == golden


def asked(game: Game, fen: str, moves: list[str], turn: int) -> dict[str, Any]:
    """A game in which the person is to move, so that legal moves are told."""
    return {"model": game.name, "side": game.sides[turn].lower(), "fen": fen, "moves": moves}


def told(state: dict[str, Any]) -> dict[str, Any]:
    assert state["type"] == "state", state
    return {
        "fen": state["fen"],
        "check": state["check"],
        "result": state["result"],
        "reason": state["reason"],
        "legal": {entry["move"]: entry["notation"] for entry in state["legal"]},
        "start": state["start"],
        "moves": state["moves"],
    }


def expected(game: Game, fen: str, moves: list[str]) -> dict[str, Any]:
    position: Position = follow(game.start(fen), moves)
    names, points, line = game.moves.names, position.result(), []
    at: Position = game.start(fen)
    for move in position.record()[1]:
        notation, at = at.notation(move), at.play(move)
        line.append({"move": names[move], "notation": notation, "fen": at.fen(), "check": at.in_check()})
    legal = [int(move) for move in position.legal()] if points is None else []
    return {
        "fen": position.fen(),
        "check": position.in_check(),
        "result": None if points is None else RESULTS[points],
        "reason": position.reason(),
        "legal": {names[move]: position.notation(move) for move in legal},
        "start": game.start(fen).fen(),
        "moves": line,
    }


def compare(worker: Worker, lines: list[tuple[Game, str, list[str]]]) -> None:
    wanted = [expected(*line) for line in lines]
    turns = [int(want["fen"].split()[1] == "b") for want in wanted]
    for line, turn, want in zip(lines, turns, wanted, strict=True):
        assert told(worker.begin(**asked(*line, turn))) == want, line


@browser_only
def test_golden_positions(worker: Worker) -> None:
    compare(worker, [(GAMES[fact["game"]], fact["start"], fact["moves"]) for fact in known()])


@browser_only
def test_hard_positions(worker: Worker) -> None:
    hard = [(GAMES["chess"], case.fen) for case in HARD] + [
        (GAMES["xiangqi"], case.fen) for case in HARD_XIANGQI
    ]
    compare(worker, [(game, fen, []) for game, fen in hard if is_sound(game, fen)])


def is_sound(game: Game, fen: str) -> bool:
    """Some of them are boards for move generators that no game leads to."""
    try:
        game.start(fen)
    except PositionError:
        return False
    return True


@browser_only
@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_random_games(worker: Worker, name: str, seed: int) -> None:
    """Each at several of its plies: what is legal, how it is written, how it ends."""
    game, chance = GAMES[name], np.random.default_rng(seed)
    lines = []
    for _ in range(6):
        position: Position = game.start()
        while position.result() is None and position.ply < 240:
            position = position.play(int(chance.choice(position.legal())))
        names = [game.moves.names[move] for move in position.record()[1]]
        cuts = {len(names), *chance.integers(0, len(names) + 1, 6).tolist()}
        lines += [(game, game.start().fen(), names[:cut]) for cut in sorted(cuts)]
    compare(worker, lines)


@browser_only
@pytest.mark.parametrize("name", GAMES)
def test_the_move_tables_are_the_same(worker: Worker, name: str) -> None:
    """The browser knows the same names, and both have them sorted. What is no move at all is refused
    otherwise than what is not legal."""
    game = GAMES[name]
    assert list(game.moves.names) == sorted(game.moves.names)
    squares = sorted({name[:2] for name in game.moves.names})
    pieces = ["", *"nbrq"] if name == "chess" else [""]
    every = [start + end + piece for start in squares for end in squares for piece in pieces]
    legal = {game.moves.names[move] for move in game.start().legal()}
    tried = [text for text in every if text not in legal]
    _, *answers = worker.play(
        {"type": "new", "model": name}, *({"type": "move", "move": text} for text in tried)
    )
    refused = {
        text for text, answer in zip(tried, answers, strict=True) if "is not a move" not in answer["text"]
    }
    assert refused | legal == set(game.moves.names)


@browser_only
@pytest.mark.parametrize(
    ("model", "fen", "text"),
    [
        ("chess", "nonsense", "'nonsense' is not a chess position"),
        (
            "chess",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
            "board of xiangqi",
        ),
        ("chess", "", "empty fen"),
        ("chess", "8/8/8/8/8/8/8/8 w - - 0 1", "no white king, no black king, empty"),
        ("chess", "8/8/8/8/8/8/8/K7 w - - 0 1", "no black king"),
        ("chess", "kk6/8/8/8/8/8/8/KK6 w - - 0 1", "too many kings"),
        ("chess", "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "opposite check"),
        ("chess", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "pawns on backrank"),
        ("chess", "4k3/8/8/8/8/PPPPPPPP/PPPPPPPP/P3K3 w - - 0 1", "too many white pawns"),
        ("chess", "4k3/8/8/8/8/8/4K3 w - - 0 1", "expected 8 rows"),
        ("chess", "4k3/8/8/8/8/8/8/4K4 w - - 0 1", "expected 8 columns per row"),
        ("chess", "4k3/44/8/8/8/8/8/4K3 w - - 0 1", "two subsequent digits"),
        ("chess", "4k3/1~6/8/8/8/8/8/4K3 w - - 0 1", "'~' not after piece"),
        ("chess", "4k3/9/8/8/8/8/8/4K3 w - - 0 1", "invalid character"),
        ("chess", "4k3/19/8/8/8/8/8/4K3 w - - 0 1", "invalid character"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 x - - 0 1", "expected 'w' or 'b'"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w X - 0 1", "invalid castling part"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "invalid en passant part"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - -1 1", "half-move clock cannot be negative"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - x 1", "invalid half-move clock"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "fullmove number cannot be negative"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 x", "invalid fullmove number"),
        ("chess", "4k3/P7/8/8/8/8/8/4K3[Q] w - - 0 1", "not a chess position"),
        ("chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1 2", "more parts than expected"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "invalid ep square"),
        ("chess", "4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", "invalid ep square"),
        ("chess", "4k3/4r3/8/8/8/3n4/6n1/4K3 w - - 0 1", "too many checkers"),
        ("chess", "4k3/8/8/8/8/8/8/r3K2r w - - 0 1", "impossible check"),
        ("xiangqi", "nonsense", "'nonsense' is not a xiangqi position"),
        ("xiangqi", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "board of chess"),
        ("xiangqi", "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "could take the general"),
        ("xiangqi", "4k4/9/9/9/9/9/9/9/4K4 w - - 0 1", "it has 9 ranks, not 10"),
        ("xiangqi", "4k4/9/9/9/9/9/9/9/9/3K4 w - - 0 1", "has 8 files, not 9"),
        ("xiangqi", "4k4/45/9/9/9/9/9/9/9/3K5 w - - 0 1", "two numbers of empty squares"),
        ("xiangqi", "4k4/9/9/9/9/9/9/9/9/3KX4 w - - 0 1", "what is 'X'"),
        ("xiangqi", "9/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "no black general"),
        ("xiangqi", "4k4/9/9/9/9/9/9/9/9/3K5 w - - x 1", "is not a xiangqi position. Give a FEN"),
        ("xiangqi", "4k4/9/9/9/9/9/9/9/9/3K5 w KQ - 0 1", "has KQ - after the side to move"),
    ],
)
def test_bad_positions_are_explained_in_the_servers_words(
    worker: Worker, model: str, fen: str, text: str
) -> None:
    with pytest.raises(PositionError) as refused:
        GAMES[model].start(fen)
    answer = worker.begin(model=model, fen=fen)
    assert answer == {"type": "error", "text": str(refused.value)}
    assert text in answer["text"]
    assert "\n" not in answer["text"]


@browser_only
@pytest.mark.parametrize("text", ["a8", "a7a8", "axb8", "a7b8", "a9", "Kd9"])
def test_a_promotion_without_its_piece_is_explained_in_the_servers_words(worker: Worker, text: str) -> None:
    fen = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1"
    with pytest.raises(IllegalMoveError) as refused:
        follow(GAMES["chess"].start(fen), [text])
    answer = worker.begin(model="chess", fen=fen, moves=[text])
    assert answer == {"type": "error", "text": str(refused.value)}


@browser_only
@pytest.mark.slow
def test_the_same_chess_positions_are_refused(worker: Worker) -> None:
    """Of boards at random, many of them with a square of en passant, castling rights or checks too many."""
    chance = np.random.default_rng(7)
    fens = [random_fen(chance) for _ in range(2000)]
    answers = worker.play(*({"type": "new", "model": "chess", "fen": fen, "side": side(fen)} for fen in fens))
    sound = [is_sound(GAMES["chess"], fen) for fen in fens]
    assert 200 < sum(sound) < 1800
    for fen, answer, fine in zip(fens, answers, sound, strict=True):
        assert (answer["type"] == "state") == fine, (fen, answer)
        if fine:
            assert answer["fen"] == GAMES["chess"].start(fen).fen()
        else:
            with pytest.raises(PositionError) as refused:
                GAMES["chess"].start(fen)
            assert answer["text"] == str(refused.value)


def side(fen: str) -> str:
    return "white" if fen.split()[1] == "w" else "black"


def random_fen(chance: np.random.Generator) -> str:
    board = chess.Board(None)
    pieces = chess.Piece.from_symbol
    some = ["K", "k", *chance.choice(list("PPPpppNnBbRrQq"), chance.integers(0, 8))]
    for square, symbol in zip(chance.permutation(64).tolist(), some, strict=False):
        board.set_piece_at(square, pieces(symbol))
    turn, passing = chance.choice(["w", "b"]), "-"
    if chance.random() < 0.5:  # mostly where a pawn can have passed
        file, rank = chance.choice(list("abcdefgh")), 5 if turn == "w" else 4
        board.set_piece_at(chess.parse_square(f"{file}{rank}"), pieces("p" if turn == "w" else "P"))
        passing = f"{file}{6 if turn == 'w' else 3}"
    rights = chance.choice(["-", "KQkq", "Kq", "qk", "HAha"])
    return f"{board.board_fen()} {turn} {rights} {passing} {chance.integers(0, 200)} {chance.integers(0, 99)}"
