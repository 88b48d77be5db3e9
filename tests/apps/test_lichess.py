"""Whole games on a Lichess of our own, in both forms, with the settings of docs/lichess.md."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import chess
import pytest
import torch
import yaml  # comes with pytorch-lightning
from chess.engine import Cp, EngineError, Limit, Mate, PlayResult

from tests.sources import ROOT
from zeroply.apps import lichess as homemade_engine
from zeroply.errors import ZeroplyError
from zeroply.games import game_named
from zeroply.players.pace import Clock
from zeroply.recipes import find_recipe, save

from . import lichess_bot
from .lichess_server import TOKEN, Table, lichess

PAGE = (ROOT / "docs" / "lichess.md").read_text(encoding="utf-8")
BLOCKS = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]
[CODE] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
CHALLENGE, UCI, HOMEMADE, SAMPLING, LIKE_A_PERSON, HUMAN_TIME, RESIGNING = BLOCKS
BOTH = pytest.mark.parametrize("protocol", ["homemade", pytest.param("uci", marks=pytest.mark.slow)])
NO_MOVE = PlayResult(None, None)
"""What lichess-bot gives as `root_moves` where it has no list of moves."""

Json = dict[str, Any]


@pytest.fixture(autouse=True)
def lichess_bot_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where lichess-bot runs: with a lib.engine_wrapper, the page's code as homemade.py, and engines."""
    for name in ("lib", "lib.engine_wrapper"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setattr(
        sys.modules["lib.engine_wrapper"], "MinimalEngine", lichess_bot.MinimalEngine, raising=False
    )
    (tmp_path / "homemade.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "engines").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "homemade", raising=False)


def engine_section(protocol: str, **options: Any) -> Json:
    """The page's, with other options where there are some."""
    section: Json = {"uci": UCI, "homemade": HOMEMADE}[protocol]["engine"]
    section = {**section, f"{protocol}_options": options or section[f"{protocol}_options"]}
    if protocol == "uci":
        assert section["dir"] == "/path/to/venv/bin"
        section["dir"] = str(Path(sys.executable).parent)
    return section


def play(table: Table, engine: Json) -> lichess_bot.EngineWrapper:
    """The game, played to its end by a bot with this engine, which has stopped by itself."""
    with lichess(table) as url:
        config = {"url": url, "token": TOKEN, "engine": engine, "move_overhead": 1000, **CHALLENGE}
        [played] = lichess_bot.run(config)
    assert table.refused == []
    assert table.chat == ["Good game!"]
    if engine["protocol"] == "uci":
        assert played.engine.protocol.returncode.result() == 0
    return played


def made(**options: Any) -> lichess_bot.EngineWrapper:
    return lichess_bot.create_engine(engine_section("homemade", **options), None)


def asked(engine: lichess_bot.EngineWrapper, board: chess.Board, root_moves: object = NO_MOVE) -> PlayResult:
    return engine.search(board, Limit(white_clock=60, black_clock=60), False, False, root_moves)


def test_a_whole_game_of_the_homemade_class() -> None:
    table = Table()
    engine = play(table, engine_section("homemade", Temperature=0))
    assert (table.status, table.winner) == ("mate", True)
    assert len(engine.scores) == (len(table.moves) + 1) // 2
    assert engine.scores[-1].relative == Mate(1)
    assert type(engine).__mro__[1] is homemade_engine.Homemade


@pytest.mark.slow
@pytest.mark.parametrize("white", [True, False], ids=["white", "black"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"Temperature": 0},
        {**SAMPLING, "Model": "chess"},
        LIKE_A_PERSON,
        {**HUMAN_TIME, "go_commands": {"movetime": 20}, "MoveOverhead": 0},
    ],
    ids=lambda options: " ".join(options) or "of the page",
)
def test_a_whole_game_of_the_uci_engine(options: Json, white: bool) -> None:
    table = Table(bot_is_white=white, seed=1)
    play(table, engine_section("uci", **options))
    assert table.status in ("mate", "stalemate", "draw")
    assert table.winner in (white, None)  # nobody loses to a random mover


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [{"Temperature": 0}, {"Temperature": 100, "Seed": 7}, {"Mode": "human", "Temperature": 0}],
    ids=str,
)
def test_both_forms_play_the_same_game(options: Json) -> None:
    tables = [Table(bot_is_white=False, seed=3) for _ in range(2)]
    scores = [
        play(table, engine_section(protocol, **options)).scores
        for table, protocol in zip(tables, ("uci", "homemade"), strict=True)
    ]
    assert tables[0].moves == tables[1].moves
    assert scores[0] == scores[1]


def test_seeds_and_temperature_decide_the_game() -> None:
    def game(**options: Any) -> list[str]:
        table = Table(seed=5, resigns_at=10)
        play(table, engine_section("homemade", **options))
        return table.moves

    sampled = game(Temperature=100, Seed=1)
    assert sampled == game(Temperature=100, Seed=1)
    assert sampled != game(Temperature=100, Seed=2)


def test_a_seed_that_samples(tmp_path: Path) -> None:
    """minustwo's settings with a net of that recipe, which has learnt nothing; seeded, for it can mate."""
    torch.manual_seed(0)
    known, path = find_recipe("minustwo"), tmp_path / "minustwo.safetensors"
    small = {name: str(value) for name, value in known.small.items()}
    save(known.make(game_named("chess"), small), path, {"steps": 0})
    table = Table(resigns_at=20)
    play(table, engine_section("homemade", **{**SAMPLING, "Model": str(path), "Seed": 1}))
    assert (table.status, table.winner) == ("resign", True)


@BOTH
def test_a_lost_game_is_resigned(protocol: str) -> None:
    section = {**engine_section(protocol, Temperature=0), **RESIGNING}
    table = Table(fen="8/5k2/8/8/8/3Q4/5PPP/3R2K1 b - - 0 40", bot_is_white=False)
    play(table, section)
    assert (table.status, table.winner) == ("resign", True)
    assert len(table.moves) == 4, "after two moves of each, the third score in a row is too low"


@BOTH
def test_an_opponent_who_resigns_ends_the_game(protocol: str) -> None:
    table = Table(bot_is_white=False, resigns_at=8, increment=1)
    play(table, {**engine_section(protocol), "ponder": True})
    assert (table.status, table.winner, len(table.moves)) == ("resign", False, 8)


@BOTH
def test_a_draw_ends_the_game(protocol: str) -> None:
    table = Table(fen="8/8/8/8/8/8/1q6/K6k w - - 0 1")
    play(table, engine_section(protocol))
    assert (table.status, table.winner, table.moves) == ("draw", None, ["a1b2"])


def test_a_person_s_time_is_taken_from_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(homemade_engine, "sleep", waited.append)
    table = Table(seconds=40, resigns_at=10)
    play(table, engine_section("homemade", **HUMAN_TIME, Temperature=50))
    assert all(0 < seconds <= 10 for seconds in waited[:1]), "of the time for a first move"
    assert all(0 < seconds <= 1.5 for seconds in waited[1:]), "a fortieth of the clock, by chance half more"
    waited.clear()
    play(Table(resigns_at=4), engine_section("homemade"))
    assert set(waited) == {0}


def test_whose_clock_it_is() -> None:
    limit = Limit(white_clock=60, white_inc=1, black_clock=30.5, remaining_moves=20)
    assert homemade_engine.clock_of(limit, white=True) == Clock(left=60_000, increment=1000, moves_to_go=20)
    assert homemade_engine.clock_of(limit, white=False) == Clock(left=30_500, moves_to_go=20)
    assert homemade_engine.clock_of(Limit(time=10), white=True) == Clock(move_time=10_000)


@pytest.mark.parametrize("moves", [[], ["e2e4"]], ids=["White", "Black"])
def test_what_is_told_of_a_move(moves: list[str]) -> None:
    board = chess.Board()
    for text in moves:
        board.push_uci(text)
    told = asked(made(UCI_ShowWDL=True), board).info
    assert told["score"].turn == told["wdl"].turn == board.turn
    assert told["score"].relative != Cp(0)
    assert told["wdl"].relative.total() == 1000
    assert (told["depth"], told["nodes"]) == (1, 1)
    assert "wdl" not in asked(made(Temperature=0), board).info


def test_moves_may_be_restricted() -> None:
    wanted = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    assert asked(made(Temperature=100), chess.Board(), wanted).move in wanted


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, "4k1n1/8/8/8/8/8/8/4K1N1 b - - 3 40"])
def test_a_position_comes_with_its_past(fen: str) -> None:
    board = chess.Board(fen)
    steps = ["g1f3", "g8f6", "f3g1", "f6g8"] if board.turn else ["g8f6", "g1f3", "f6g8", "f3g1"]
    for text in 2 * steps:
        board.push_uci(text)
    position = homemade_engine.position_of(board)
    assert position.fen() == board.fen()
    assert position.repeats == 2
    assert (position.row(9)["past"] >= 0).sum() == 8


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"Hash": 256}, "there is no option 'Hash'. Known: Model, Mode, "),
        ({"temperature": "hot"}, "option Temperature: 'hot' will not do"),
        ({"UCI_Elo": 100}, "option UCI_Elo: '100' will not do: it is a whole number, at least 2300"),
        ({"Model": "nothing"}, "there is no model 'nothing'"),
        ({"model": "xiangqi"}, "the model 'xiangqi' plays xiangqi, and lichess-bot plays chess"),
    ],
    ids=str,
)
def test_wrong_options_are_named(options: Json, said: str) -> None:
    with pytest.raises(ZeroplyError, match=f"^{re.escape(said)}"):
        made(**options)


@pytest.mark.slow
def test_the_template_s_uci_options_are_refused() -> None:
    with pytest.raises(EngineError, match="Move Overhead"):
        lichess_bot.create_engine(engine_section("uci", **{"Move Overhead": 100, "Hash": 256}), None)


def test_other_variants_are_refused() -> None:
    with pytest.raises(ZeroplyError, match="there is no chess960 here"):
        asked(made(), chess.Board(chess960=True))


def test_nothing_else_can_be_asked_for_with_a_wrong_token() -> None:
    with lichess(Table()) as url, pytest.raises(AssertionError, match="No such token"):
        lichess_bot.Lichess(url, "lip_another").get("/api/account")
