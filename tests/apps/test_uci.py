"""The UCI front end, driven by text, by python-chess and by nonsense."""

from __future__ import annotations

import io
import subprocess
import sys

import chess
import pytest

from tests.players.nets import MaterialNet
from tests.shipped import HIGHEST, LOWEST
from tests.sources import ROOT
from zeroply.apps.uci import run
from zeroply.evals.match import play_match
from zeroply.games import game_named
from zeroply.games.chess.position import REASONS
from zeroply.players.engine import EnginePlayer
from zeroply.players.program import Limits

CHESS, XIANGQI = game_named("chess"), game_named("xiangqi")
PROGRAM = [sys.executable, "-c", "import sys; from zeroply.apps.uci import run; run(sys.argv[1])"]


def talk(model: str, *commands: str) -> list[str]:
    out = io.StringIO()
    run(model, commands, out)
    return out.getvalue().splitlines()


def test_uci_needs_no_model_and_declares_the_options() -> None:
    said = talk("no-such-model", "uci\n")
    assert said[0].startswith("id name zeroply")
    assert said[-1] == "uciok"
    assert [line for line in said if line.startswith("option")] == [
        "option name Model type string default no-such-model",
        "option name Mode type combo default best var best var human",
        "option name Temperature type spin default -1 min -1 max 1000",
        "option name TopP type spin default 100 min 1 max 100",
        "option name Seed type spin default 0 min 0 max 2147483647",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name UCI_ShowWDL type check default false",
        "option name MateRule type check default true",
        "option name RepetitionRule type check default true",
        "option name Threads type spin default 1 min 1 max 1024",
        "option name HumanTime type check default false",
        "option name MoveOverhead type spin default 100 min 0 max 5000",
    ]


@pytest.mark.slow
def test_the_page_about_it_lists_every_option_with_its_default(model: str) -> None:
    page = (ROOT / "docs" / "uci.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in page.split("## UCCI")[0].splitlines() if line.startswith("| `")]
    listed = {name.strip(" `"): (kind.split()[0], default.strip(" `")) for _, name, kind, default, *_ in rows}
    said = [line.split() for line in talk(model, "uci") if line.startswith("option name")]
    declared = {words[2]: (words[4], words[6]) for words in said}
    assert listed == {**declared, "UCI_Variant": ("combo", "the model's game")}


def test_a_missing_model_is_said_and_survived() -> None:
    said = talk("no-such-model", "isready", "position startpos", "go", "isready")
    assert "there is no model 'no-such-model'" in said[0]
    assert [line for line in said if not line.startswith("info string")] == [
        "readyok",
        "bestmove (none)",
        "readyok",
    ]


def test_quit_ends_and_silence_where_nothing_is_due() -> None:
    assert talk("none", "debug on", "stop", "ponderhit", "ucinewgame", "", "  ", "quit", "isready") == []


def test_an_infinite_search_answers_when_it_is_stopped(model: str) -> None:
    said = talk(model, "position startpos", "go infinite", "isready", "stop", "stop")
    assert [line for line in said if line.startswith(("readyok", "bestmove"))] == ["readyok", said[-1]]
    assert said[-1].startswith("bestmove")


@pytest.mark.parametrize("go", ["go", "go depth 9 wtime 1 btime 1", "go movetime x"])
def test_go_answers_at_once_with_a_legal_move(model: str, go: str) -> None:
    said = talk(model, "position startpos moves e2e4 e7e5", go)
    assert (
        chess.Move.from_uci(said[-1].split()[1])
        in chess.Board("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2").legal_moves
    )


def test_lines_give_scores_shares_and_moves(model: str) -> None:
    said = talk(
        model,
        "setoption name MultiPV value 3",
        "setoption name uci_showwdl value true",
        "position startpos",
        "go",
    )
    shares = [float(line.split()[3].rstrip("%")) for line in said if line.startswith("info string")]
    lines = [line.split() for line in said if line.startswith("info depth 1")]
    assert len(shares) == len(lines) == 3
    assert shares == sorted(shares, reverse=True)
    assert [line[line.index("multipv") + 1] for line in lines] == ["1", "2", "3"]
    for line in lines:
        at = line.index("wdl")
        assert sum(int(share) for share in line[at + 1 : at + 4]) == 1000
    assert said[-1].split()[1] == lines[0][-1]


def test_the_move_that_is_played_comes_first_and_a_mate_is_called_one(model: str) -> None:
    position = "position fen 6k1/5ppp/8/8/8/8/5PPP/RR4K1 w - - 0 1"
    hot = ("setoption name Temperature value 1000", "setoption name Seed value 4")
    many = "setoption name MultiPV value 40"
    for options in ((many,), (many, *hot), hot, (many, *hot, "setoption name MateRule value false")):
        said = talk(model, *options, position, "go")
        lines = [line.split() for line in said if line.startswith("info depth")]
        assert lines[0][-1] == said[-1].split()[1]
        assert len({line[-1] for line in lines}) == len(lines)
        mates = {line[-1] for line in lines if "mate" in line}
        assert mates <= {"a1a8", "b1b8"}
        assert all("score mate 1 " in " ".join(line) for line in lines if line[-1] in mates)
        if many in options:
            assert mates == {"a1a8", "b1b8"}
            assert len(lines) == 26


HANGING = "position fen rnb1kbnr/pppp1ppp/8/4q3/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1"


@pytest.mark.parametrize("output", ["value", "wdl", "evaluation"])
def test_a_net_with_a_value_may_look_at_successors(monkeypatch: pytest.MonkeyPatch, output: str) -> None:
    net = MaterialNet("policy", output)
    monkeypatch.setattr("zeroply.apps.engine.load_network", lambda _, threads: net)
    look = "setoption name LookAtSuccessors value true"
    shown = ("setoption name MultiPV value 99", "setoption name UCI_ShowWDL value true")
    assert net.most_rows == 0
    assert talk("net", *shown, HANGING, "go")[-1] != "bestmove d4e5"
    assert net.most_rows == 1
    said = talk("net", *shown, look, HANGING, "go")
    assert said[-1] == "bestmove d4e5"
    lines = [line.split() for line in said if line.startswith("info depth")]
    assert net.most_rows == len(lines) == 29  # all in one batch
    scores = [int(line[line.index("cp") + 1]) for line in lines]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > scores[1]
    assert all(("wdl" in line) == (output == "wdl") for line in lines)
    assert talk("net", look, look.replace("true", "false"), HANGING, "go")[-1] != "bestmove d4e5"


def test_successors_are_not_offered_by_a_net_that_cannot_judge_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zeroply.apps.engine.load_network", lambda _, threads: MaterialNet("policy"))
    said = talk("net", "uci", "setoption name LookAtSuccessors value true", "go")
    assert not any(line.startswith("option name LookAtSuccessors") for line in said)
    assert any("there is no option 'LookAtSuccessors'" in line for line in said)
    assert said[-1] != "bestmove (none)"


def test_human_mode_is_a_person_of_the_asked_rating(model: str) -> None:
    elo = ("setoption name UCI_Elo value 2300", "setoption name Temperature value 0")
    human, limit = "setoption name Mode value human", "setoption name UCI_LimitStrength value true"
    best, as_human, limited, both = (
        talk(model, *elo, *options, "position startpos", "go")
        for options in ([], [human], [limit], [human, limit])
    )
    assert as_human == limited == both != best
    assert talk(model, *elo, human, "setoption name Mode value best", "position startpos", "go") == best


def test_strength_that_is_limited_errs_the_more_the_lower_it_is(model: str) -> None:
    def openings(elo: int) -> set[str]:
        limit = ("setoption name UCI_LimitStrength value true", f"setoption name UCI_Elo value {elo}")
        return {talk(model, *limit, "position startpos", "go")[-1] for _ in range(16)}

    assert len(openings(2300)) > len(openings(2800)) == 1


def test_threads_run_the_same_net_and_keep_the_position(model: str) -> None:
    start = "position startpos moves e2e4 c7c5"
    assert talk(model, start, "go") == talk(model, start, "setoption name Threads value 2", "go")
    assert talk(model, start, "go") == talk(model, start, f"setoption name Model value {model}", "go")


def test_a_position_of_another_game_is_not_answered_for(model: str, xiangqi_model: str) -> None:
    other = f"setoption name Model value {xiangqi_model}"
    assert talk(model, "position startpos moves e2e4", other, "go")[-1] == "bestmove (none)"
    assert XIANGQI.from_uci(talk(model, other, "go")[-1].split()[1]) in XIANGQI.start().legal()


def test_with_human_time_an_answer_waits_until_it_is_stopped(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zeroply.apps.settings.seconds_to_think", lambda *_: 1e5)
    slow, clock = "setoption name HumanTime value true", "go wtime 60000 btime 60000"
    said = talk(model, slow, "position startpos", clock, "isready", "stop", "stop", "isready")
    kept = [line.split()[0] for line in said if not line.startswith("info")]
    assert kept == ["readyok", "bestmove", "readyok"]
    # One that nobody stopped comes before the next, and before the end of the conversation.
    said = talk(model, slow, "position startpos", clock, clock)
    assert [line.split()[0] for line in said if "info string" not in line] == ["info", "bestmove"] * 2
    assert not any(line.startswith("bestmove") for line in talk(model, slow, clock, "quit"))


def test_only_a_clock_makes_it_wait(model: str) -> None:
    slow = "setoption name HumanTime value true"
    said = talk(model, slow, "position startpos", "go", "isready", "go depth 3", "go wtime 150", "isready")
    assert [line.split()[0] for line in said if not line.startswith("info")] == [
        "bestmove",
        "readyok",
        "bestmove",
        "bestmove",
        "readyok",
    ]


def test_only_a_net_that_knows_ratings_offers_strength(model: str, xiangqi_model: str) -> None:
    strength = {
        "option name UCI_LimitStrength type check default false",
        f"option name UCI_Elo type spin default 2500 min {LOWEST} max {HIGHEST}",
    }
    assert strength <= set(talk(model, "uci"))
    unrated = talk(xiangqi_model, "uci", "setoption name UCI_Elo value 2400", "position startpos", "go")
    assert not strength & set(unrated)
    assert any("there is no option 'UCI_Elo'" in line for line in unrated)
    other = f"setoption name Model value {xiangqi_model}"
    assert not strength & set(talk(model, "isready", other, "uci"))


def test_strength_is_limited_only_when_asked(model: str) -> None:
    elo, limit = "setoption name UCI_Elo value 2300", "setoption name UCI_LimitStrength value true"
    full, rated, limited = (
        talk(model, *options, "position startpos", "go") for options in ([], [elo], [elo, limit])
    )
    assert full == rated
    assert full != limited


def test_searchmoves_are_all_that_may_be_played(model: str) -> None:
    said = talk(model, "position startpos", "go searchmoves a2a3 h2h4 depth 3")
    assert said[-1] in ("bestmove a2a3", "bestmove h2h4")


def test_searchmoves_of_which_none_is_legal_are_told(model: str) -> None:
    said = talk(model, "position startpos", "go searchmoves a7a5")
    assert "info string none of the moves behind searchmoves is legal here: all legal ones count" in said
    assert said[-1].startswith("bestmove ")


def test_a_game_told_move_by_move_or_anew_is_the_same(model: str) -> None:
    moves = ["e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4", "f3d4"]
    tellings = [f"position startpos moves {' '.join(moves[:count])}" for count in range(1, 8)]
    grown = talk(model, *tellings, "go")
    detour = talk(model, *tellings, "position startpos moves d2d4", *tellings[-1:], "go")
    assert grown == detour == talk(model, tellings[-1], "go")


@pytest.mark.slow
def test_temperature_and_seed_make_play_vary_and_repeat(model: str) -> None:
    def moves(*options: str) -> list[str]:
        said = talk(model, *options, "position startpos", *["go"] * 30)
        return [line for line in said if line.startswith("bestmove")]

    hot, seeded = "setoption name Temperature value 300", "setoption name Seed value 5"
    assert len(set(moves())) == 1
    assert len(set(moves(hot, seeded))) > 5
    assert moves(hot, seeded) == moves(hot, seeded)
    assert moves(hot) != moves(hot)
    assert set(moves(hot, "setoption name TopP value 1")) == set(moves())


@pytest.mark.parametrize(
    ("fen", "score"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 score cp 0"),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 score mate 0"),
    ],
)
def test_no_legal_move(model: str, fen: str, score: str) -> None:
    assert talk(model, f"position fen {fen}", "go") == [score, "bestmove (none)"]


@pytest.mark.parametrize(
    "position",
    [
        "position fen xxx",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position",
        "position moves e2e4",
        "position startpos moves e2e5",
        "position startpos moves e2e4 zz",
    ],
)
def test_a_broken_position_is_never_answered_for_another(model: str, position: str) -> None:
    said = talk(model, "position startpos moves e2e4", position, "go", "position startpos", "go")
    assert said[0].startswith("info string")
    bests = [line for line in said if line.startswith("bestmove")]
    assert bests[0] == "bestmove (none)"
    assert bests[1] != "bestmove (none)"


@pytest.mark.parametrize(
    "command",
    [
        "setoption",
        "setoption name Nothing value 1",
        "setoption name UCI_Elo value 100",
        "setoption name UCI_Elo value --1500",
        "setoption name UCI_ShowWDL value maybe",
        "setoption name Temperature",
        "hello",
    ],
)
def test_bad_commands_and_options_are_said_in_one_line(command: str) -> None:
    said = talk("none", command)
    assert len(said) == 1
    assert said[0].startswith("info string")


@pytest.mark.parametrize(
    ("go", "part"),
    [
        ("go movetime abc", "'movetime abc' will not do"),
        ("go depth 3 movetime -5", "'movetime -5' will not do"),
        ("go wtime", "'wtime' will not do"),
        ("go wtime winc 5", "'wtime winc' will not do"),
        ("go searchmoves zzzz", "'searchmoves zzzz' will not do"),
        ("go searchmoves e2e4 zzzz", "'zzzz' behind go is unknown"),
        ("go fast", "'fast' behind go is unknown"),
    ],
)
def test_what_makes_no_sense_behind_go_is_said_in_one_line_and_the_rest_obeyed(
    model: str, go: str, part: str
) -> None:
    said = talk(model, "position startpos", go)
    assert part in said[0]
    assert said[0].startswith("info string")
    sense = "go searchmoves e2e4" if "e2e4" in go else "go"
    assert said[1:] == talk(model, "position startpos", sense)


@pytest.mark.parametrize(
    "go",
    [
        "go wtime 1 btime 2 winc 0 binc 0 movestogo 4",
        "go searchmoves e2e4 d2d4 depth 3",
        "go depth 1 nodes 5 mate 3 movetime 7",
    ],
)
def test_nothing_is_said_of_a_go_that_makes_sense(model: str, go: str) -> None:
    assert len(talk(model, "position startpos", go)) == 3


def test_a_wrong_model_is_said_when_it_is_set_and_never_replaced_by_another(model: str) -> None:
    said = talk(model, "isready", "setoption name Model value no-such-model", "position startpos", "go")
    assert said[:2] == ["readyok", said[1]]
    assert said[1].startswith("info string there is no model 'no-such-model'. Bundled: ")
    assert said[-1] == "bestmove (none)"
    assert talk("none", f"setoption name Model value {model}") == []


def test_only_what_the_net_knows_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for outputs, score, nodes in (
        (("policy",), None, "1"),
        (("policy", "evaluation"), "-450", "1"),
        (("value",), "0", "20"),
    ):
        net = MaterialNet(*outputs)
        monkeypatch.setattr("zeroply.apps.engine.load_network", lambda _, threads, net=net: net)
        start = "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        start = start if score != "-450" else start.replace("/PPPPPPPP/RNBQ", "/PPPPPPPP/RNB1")
        said = talk("net", "setoption name UCI_ShowWDL value true", f"position {start}", "go")
        (words,) = [line.split() for line in said if line.startswith("info depth")]
        assert "wdl" not in words
        assert (words[words.index("score") + 2] if "score" in words else None) == score
        assert words[words.index("nodes") + 1] == nodes
        assert said[-1].startswith("bestmove ")


def test_it_starts_without_torch_or_a_web_server() -> None:
    code = "import sys, zeroply.apps.uci; print({'torch', 'fastapi', 'uvicorn'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.engine
def test_a_whole_game_against_the_weakest_stockfish(model: str) -> None:
    us = EnginePlayer([*PROGRAM, model], CHESS, name="zeroply")
    them = EnginePlayer(["stockfish"], CHESS, limits=Limits(depth=1), options={"Skill Level": "0"})
    result = play_match(us, them, CHESS, 2, [CHESS.start().fen()], ply_limit=1000)
    us.close()
    them.close()
    assert {played.reason for played in result.played} <= set(REASONS.values())
