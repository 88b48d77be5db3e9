"""The UCCI front end, driven by text, by our own client and by nonsense; and xiangqi by UCI."""

from __future__ import annotations

import io
import shlex
import subprocess
import sys

import pytest

from tests.commands import PROGRAM
from tests.games.xiangqi import play
from tests.players.nets import MaterialNet
from zeroply.apps import uci
from zeroply.apps.ucci import run
from zeroply.evals.match import play_match
from zeroply.evals.openings import random_openings
from zeroply.games import game_named
from zeroply.players.dialects import UCCI
from zeroply.players.engine import EnginePlayer
from zeroply.players.pace import Clock
from zeroply.players.program import Limits
from zeroply.players.spec import parse_player

XIANGQI = game_named("xiangqi")
MATED = "5k3/9/5R3/9/4R4/9/9/9/9/4K4 b - - 0 1"
STALEMATED = "3k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1"


def talk(model: str, *commands: str) -> list[str]:
    out = io.StringIO()
    run(model, commands, out)
    return out.getvalue().splitlines()


def talk_uci(model: str, *commands: str) -> list[str]:
    out = io.StringIO()
    uci.run(model, commands, out)
    return out.getvalue().splitlines()


def best(said: list[str]) -> str:
    (line,) = [line for line in said if line.startswith(("bestmove", "nobestmove"))]
    return line.removeprefix("bestmove ")


def test_ucci_needs_no_model_and_declares_its_options() -> None:
    said = talk("no-such-model", "ucci\n")
    assert said[0].startswith("id name zeroply")
    assert said[-1] == "ucciok"
    assert "option usemillisec type check default true" in said
    assert "option newgame type button" in said
    assert "option Model type string default no-such-model" in said
    assert not any("option name" in line for line in said)


def test_both_languages_name_the_game_of_the_model(xiangqi_model: str) -> None:
    assert "option UCI_Variant type combo default xiangqi var xiangqi" in talk(xiangqi_model, "ucci")
    assert "option name UCI_Variant type combo default xiangqi var xiangqi" in talk_uci(xiangqi_model, "uci")
    setting = "setoption name UCI_Variant value"
    assert talk_uci(xiangqi_model, "isready", f"{setting} xiangqi") == ["readyok"]
    assert "one of xiangqi" in talk_uci(xiangqi_model, "isready", f"{setting} chess")[-1]


def test_a_program_asks_for_the_bundled_net_of_another_game() -> None:
    said = talk_uci(
        "chess", "uci", "setoption name UCI_Variant value xiangqi", "position startpos moves h3e3", "go"
    )
    assert "option name UCI_Variant type combo default chess var chess var xiangqi" in said
    move = said[-1].removeprefix("bestmove ")
    assert XIANGQI.from_uci(move) in play("h2e2").legal()


def test_a_model_of_another_game_is_refused(model: str) -> None:
    said = talk(model, "isready", "position startpos", "go")
    assert "plays chess, and this protocol is for xiangqi" in said[0]
    assert said[-1] == "nobestmove"


def test_a_missing_model_is_said_and_survived() -> None:
    said = talk("no-such-model", "isready", "position startpos", "go", "isready")
    assert "info message there is no model 'no-such-model'" in said[0]
    assert [line for line in said if not line.startswith("info")] == ["readyok", "nobestmove", "readyok"]


def test_quit_says_bye_and_ends() -> None:
    assert talk("none", "stop", "ponderhit draw", "uccinewgame", "", "probe hash e0", "quit", "isready") == [
        "pophash",
        "bye",
    ]


@pytest.mark.parametrize("go", ["go", "go depth 9", "go nodes 5 draw", "go time 100 movestogo 1 increment 0"])
def test_go_answers_at_once_with_a_legal_move(xiangqi_model: str, go: str) -> None:
    said = talk(xiangqi_model, "position startpos moves h2e2", go)
    position = XIANGQI.start().play(XIANGQI.moves.number("h2e2"))
    assert XIANGQI.moves.number(best(said)) in position.legal()
    assert any(line.startswith("info depth 1 score ") and f"pv {best(said)}" in line for line in said)


def test_the_same_move_has_one_rank_more_in_uci(xiangqi_model: str) -> None:
    ours = best(talk(xiangqi_model, "position startpos moves h2e2 h9g7", "go"))
    theirs = best(talk_uci(xiangqi_model, "position startpos moves h3e3 h10g8", "go"))
    assert XIANGQI.from_uci(theirs) == XIANGQI.moves.number(ours)
    assert ours != theirs
    # And a text of the other language is no move, or another one.
    assert talk_uci(xiangqi_model, "position startpos moves h2e2", "go")[-1] == "bestmove (none)"
    assert talk(xiangqi_model, "position startpos moves h3e3", "go")[-1] == "nobestmove"


def test_banned_moves_are_not_played_until_the_next_position(xiangqi_model: str) -> None:
    start = "position startpos"
    first = best(talk(xiangqi_model, start, "go"))
    second = best(talk(xiangqi_model, start, f"banmoves {first}", "go"))
    assert first != second
    third = best(talk(xiangqi_model, start, f"banmoves {first} {second}", "go"))
    assert third not in (first, second)
    assert best(talk(xiangqi_model, start, f"banmoves {first}", start, "go")) == first


def test_a_ban_that_makes_no_sense_is_said_in_one_line_and_changes_nothing(xiangqi_model: str) -> None:
    start = "position startpos"
    first = best(talk(xiangqi_model, start, "go"))
    said = talk(xiangqi_model, start, f"banmoves {first} zzzz", "go")
    assert said[0].startswith("info message 'zzzz' is not a move")
    assert best(said) == first


@pytest.mark.parametrize("go", ["go time x", "go opptime", "go movetime 5"])
def test_what_makes_no_sense_behind_go_is_said_in_one_line(xiangqi_model: str, go: str) -> None:
    said = talk(xiangqi_model, "position startpos", go)
    assert said[0].startswith(f"info message '{go.removeprefix('go ').removesuffix(' 5')}' ")
    assert said[1:] == talk(xiangqi_model, "position startpos", "go")


def test_depth_may_be_infinite(xiangqi_model: str) -> None:
    said = talk(xiangqi_model, "position startpos", "go depth infinite", "stop")
    assert not any("will not do" in line for line in said)


def test_a_move_that_wins_at_once_has_a_number_as_any_other(xiangqi_model: str) -> None:
    """The protocol has no word for mates."""
    fen = "3k5/9/9/9/9/9/9/9/9/4K3R w - - 0 1"
    ours, theirs = (ask(xiangqi_model, f"position fen {fen}", "go") for ask in (talk, talk_uci))
    (line,) = [line.split() for line in ours if line.startswith("info depth")]
    assert int(line[line.index("score") + 1]) < 30_000
    assert any("score mate 1 " in line for line in theirs)


def test_an_infinite_search_answers_when_it_is_stopped(xiangqi_model: str) -> None:
    said = talk(xiangqi_model, "position startpos", "go infinite", "isready", "stop", "stop")
    assert [line for line in said if line.startswith(("readyok", "bestmove"))] == ["readyok", said[-1]]


@pytest.mark.parametrize("fen", [MATED, STALEMATED])
def test_no_legal_move(xiangqi_model: str, fen: str) -> None:
    assert XIANGQI.start(fen).result() == 1.0
    assert talk(xiangqi_model, f"position fen {fen}", "go") == ["nobestmove"]
    assert talk_uci(xiangqi_model, f"position fen {fen}", "go") == [
        "info depth 0 score mate 0",
        "bestmove (none)",
    ]


def test_settings_have_no_name_or_value_before_them(xiangqi_model: str) -> None:
    said = talk(
        xiangqi_model,
        "setoption usemillisec true",
        "setoption newgame",
        "setoption multipv 3",
        "position startpos",
        "go",
    )
    assert sum(line.startswith("info depth 1") for line in said) == 3


def test_it_has_the_options_of_uci_that_its_net_can_follow(xiangqi_model: str) -> None:
    said = talk(xiangqi_model, "ucci")
    for option in (
        "Mode type combo default best var best var human",
        "LookAtSuccessors type check default false",
        "HumanTime type check default false",
        "Threads type spin default 1 min 1 max 1024",
        "MateRule type check default true",
    ):
        assert f"option {option}" in said


def test_a_look_at_successors_takes_what_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    net = MaterialNet("policy", "value")
    net.game = XIANGQI
    monkeypatch.setattr("zeroply.apps.engine.load_network", lambda _, threads: net)
    position = "position fen 3k5/9/4c4/9/p3R4/9/9/9/9/5K3 w"  # a cannon, or a soldier
    assert best(talk("net", "setoption LookAtSuccessors true", position, "go")) == "e5e7"
    assert best(talk("net", position, "go")) != "e5e7"


@pytest.mark.parametrize(("unit", "left"), [("true", 60), ("false", 60_000)])
def test_a_clock_counts_in_the_unit_that_was_set(
    xiangqi_model: str, monkeypatch: pytest.MonkeyPatch, unit: str, left: int
) -> None:
    seen = []

    def think(clock: Clock, *_: object) -> float:
        seen.append(clock)
        return 0.0

    monkeypatch.setattr("zeroply.apps.settings.seconds_to_think", think)
    setting = ("setoption HumanTime true", f"setoption usemillisec {unit}")
    said = talk(xiangqi_model, *setting, "go time 60 increment 2 movestogo 9 opptime 5")
    assert said[-1].startswith("bestmove")
    assert seen == [Clock(left=left, increment=left // 30, moves_to_go=9)]


@pytest.mark.parametrize(
    "command",
    ["setoption", "setoption name MultiPV value 3", "setoption MultiPV 0", "setoption newgame now", "hello"],
)
def test_bad_commands_and_options_are_said_in_one_line(command: str) -> None:
    said = talk("none", command)
    assert len(said) == 1
    assert said[0].startswith("info message")


def test_it_starts_without_torch_or_a_web_server() -> None:
    code = "import sys, zeroply.apps.ucci; print({'torch', 'fastapi', 'uvicorn'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.slow
@pytest.mark.engine("fairy-stockfish")
@pytest.mark.parametrize("language", ["uci", "ucci"])
def test_whole_games_against_the_weakest_fairy_stockfish(xiangqi_model: str, language: str) -> None:
    us = parse_player(
        f"{language}:{shlex.join(PROGRAM)} {language} --model {xiangqi_model} Temperature=100 Seed=1", XIANGQI
    )
    them = EnginePlayer(["fairy-stockfish"], XIANGQI, dialect=UCCI, limits=Limits(depth=1))
    result = play_match(us, them, XIANGQI, 4, random_openings(XIANGQI, 2))
    us.close()
    them.close()
    assert all(played.failed is None for played in result.played)
    assert result.summary()["losses"] == 4
