"""Commands as people call them, with good input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import PROGRAM, refused, zeroply
from tests.sources import PUZZLES, SAMPLE
from zeroply.apps.cli.eval_options import Asked, Mode, net_and_about, player_and_about
from zeroply.apps.cli.games import NAMES
from zeroply.games import GAMES
from zeroply.players.load import load_network


def test_a_net_that_is_measured_runs_on_all_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int | None] = []

    def load(model: str, *, threads: int | None = None) -> object:
        asked.append(threads)
        return load_network(model)

    monkeypatch.setattr("zeroply.players.load.load_network", load)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    net_and_about(Asked(model="chess", mode=Mode.human))
    with player_and_about(Asked(model="chess", mode=Mode.best), "puzzle"):
        pass
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    net_and_about(Asked(model="chess", mode=Mode.human))
    cores = len(os.sched_getaffinity(0))
    assert asked == [cores, cores, 3]


def test_data_info_tells_what_was_built(corpus: Path) -> None:
    manifest = json.loads(zeroply("data", "info", corpus, "--json").stdout)
    assert manifest["games"] == sum(manifest["splits"].values()) > 50
    assert manifest["sources"][0]["name"] == SAMPLE.name
    assert f"{manifest['plies']:,}" in zeroply("data", "info", corpus).stdout


@pytest.mark.slow
def test_eval_accuracy_and_puzzles_write_flat_json(corpus: Path, tmp_path: Path) -> None:
    zeroply("eval", "accuracy", "chess", corpus, "--limit", 500, "--json", tmp_path / "a.json")
    found = json.loads((tmp_path / "a.json").read_text())
    assert {"top1", "top1_low", "top1_high", "top3", "top5", "nll", "n", "model", "mode", "rules"} <= set(
        found
    )
    assert found["mode"] == "human"
    zeroply("eval", "puzzles", "chess", PUZZLES, "--limit", 20, "--json", tmp_path / "p.json")
    found = json.loads((tmp_path / "p.json").read_text())
    assert found["n"] == 20
    assert found["solved_low"] <= found["solved"] <= found["solved_high"]


@pytest.mark.slow
@pytest.mark.engine
def test_puzzles_and_suites_are_for_any_player(tmp_path: Path) -> None:
    out, epd = tmp_path / "out.json", tmp_path / "suite.epd"
    zeroply("eval", "puzzles", "uci:stockfish depth=8", PUZZLES, "--limit", 20, "--json", out)
    found = json.loads(out.read_text())
    assert (found["model"], found["mode"], found["n"]) == ("uci:stockfish depth=8", None, 20)
    assert found["program"].startswith("Stockfish")
    assert found["solved"] > 0.6
    epd.write_text("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - am a0a1;\n")
    zeroply("eval", "suite", "greedy", epd, "--game", "xiangqi", "--json", out)
    assert json.loads(out.read_text())["program"] == "greedy"


@pytest.mark.slow
@pytest.mark.engine
def test_eval_ladder_writes_flat_json_a_picture_and_its_games(tmp_path: Path) -> None:
    out, svg, pgn = tmp_path / "l.json", tmp_path / "l.svg", tmp_path / "l.pgn"
    rungs = ["--lowest", 1350, "--highest", 1550, "--step", 200, "--nodes", 10]
    arguments = ["eval", "ladder", "random", *rungs, "--games", 6, "--pgn", pgn, "--json", out, "--svg", svg]
    shown = zeroply(*arguments)
    found = json.loads(out.read_text())
    assert (found["measure"], found["model"], found["program"]) == ("ladder", "random", "random")
    assert found["wins"] + found["draws"] + found["losses"] == found["n"] == 6
    assert found["n_rung_1350"] + found["n_rung_1550"] == 6
    assert found["scale"].startswith("Stockfish")
    assert found["scale"].endswith("UCI_Elo at 10 nodes")
    assert {"elo", "elo_low", "elo_high", "chi_square", "freedom", "adjudicated", "crashes"} <= set(found)
    assert "by rung" in shown.stdout
    assert svg.read_text().startswith("<svg")
    games = pgn.read_bytes()
    assert games.count(b"[Event ") == 6
    zeroply(*arguments)  # all is there
    assert (pgn.read_bytes(), json.loads(out.read_text())) == (games, found)


@pytest.mark.slow
def test_eval_legality_calibration_and_suite_write_flat_json(corpus: Path, tmp_path: Path) -> None:
    out, svg, epd = tmp_path / "out.json", tmp_path / "curve.svg", tmp_path / "suite.epd"
    shown = zeroply("eval", "legality", "chess", corpus, "--limit", 300, "--json", out)
    found = json.loads(out.read_text())
    assert 0.9 < found["legal_mass"] <= 1.0
    assert found["n_phase_opening"] < found["n"] == 300
    assert "by phase" in shown.stdout
    zeroply("eval", "calibration", "chess", corpus, "--limit", 300, "--json", out, "--svg", svg)
    found = json.loads(out.read_text())
    assert {"brier", "wdl_ece", "win_ece_low", "came_win_0.3", "model", "mode", "rules"} <= set(found)
    assert svg.read_text().startswith("<svg")
    epd.write_text("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id one.1;\n")
    zeroply("eval", "suite", "chess", epd, "--rules", "--json", out)
    found = json.loads(out.read_text())
    assert (found["solved"], found["n"], found["rules"], found["mode"]) == (1.0, 1, True, "best")
    assert all(not isinstance(value, dict | list) for value in found.values())


@pytest.mark.slow
def test_eval_match_writes_json_and_pgn(tmp_path: Path) -> None:
    zeroply(
        "eval",
        "match",
        "chess",
        "random",
        "--games",
        4,
        "--json",
        tmp_path / "m.json",
        "--pgn",
        tmp_path / "m.pgn",
    )
    found = json.loads((tmp_path / "m.json").read_text())
    assert found["wins"] + found["draws"] + found["losses"] == found["n"] == 4
    assert (tmp_path / "m.pgn").read_text().count("[Event ") == 4


@pytest.mark.slow
def test_the_rules_help_nobody_without_a_net(tmp_path: Path) -> None:
    out, games = tmp_path / "m.json", tmp_path / "m.pgn"
    zeroply("eval", "match", "random", "greedy", "--rules", "--games", 2, "--json", out, "--pgn", games)
    found = json.loads(out.read_text())
    assert (found["rules"], found["opponent_rules"]) == (None, None)
    assert "RulesHelp" not in games.read_text()
    zeroply("eval", "match", "random", "chess", "--rules", "--games", 2, "--json", out)
    found = json.loads(out.read_text())
    assert (found["rules"], found["opponent_rules"]) == (None, True)


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["puzzles", "suite"])
def test_patience_is_for_all_that_ask_engines(tmp_path: Path, measure: str) -> None:
    refusal = refused("eval", measure, "uci:cat", PUZZLES, "--patience", 0.3)
    assert "engine 'uci:cat' cannot be used: no answer within 0.3 s" in refusal


@pytest.mark.slow
def test_eval_match_of_xiangqi(tmp_path: Path) -> None:
    out = tmp_path / "m.pgn"
    zeroply("eval", "match", "greedy", "random", "--game", "xiangqi", "--games", 2, "--pgn", out)
    assert out.read_text().count('[Format "ICCS"]') == 2
    refusal = refused("eval", "match", "chess", "random", "--game", "xiangqi")
    assert "the model 'chess' plays chess, not xiangqi" in refusal


@pytest.mark.slow
def test_a_terminal_with_few_characters_gets_what_it_has() -> None:
    done = subprocess.run(
        [*PROGRAM, "data", "show", str(SAMPLE), "--game-number", "1"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"?" in done.stdout


def test_predict_prints_json_that_sums_up() -> None:
    found = json.loads(zeroply("predict", "--moves", "e2e4 e7e5", "--top", "100", "--json").stdout)
    assert sum(move["probability"] for move in found["moves"]) == pytest.approx(1, abs=1e-6)
    assert sum(found["wdl"]) == pytest.approx(1, abs=1e-3)
    assert found["moves"][0]["move"] == "g1f3"


@pytest.mark.slow
def test_predict_takes_moves_as_records_and_programs_write_them() -> None:
    plain = zeroply("predict", "--moves", "e2e4 e7e5 g1f3").stdout
    assert zeroply("predict", "startpos", "--moves", "1. e4 e5 2. Nf3 *").stdout == plain


def test_predict_asks_the_bundled_net_of_the_game() -> None:
    found = json.loads(zeroply("predict", "--game", "xiangqi", "--moves", "h2e2", "--json").stdout)
    assert {move["move"] for move in found["moves"][:2]} <= {"h9g7", "b9c7", "h7e7", "b7e7"}
    refusal = refused("predict", "--game", "xiangqi", "--moves", "h2e2 h10g8")
    assert "ply 2: 'h10g8' is not legal in rnbakabnr/" in refusal
    assert "Squares are a0 to i9" in refusal


@pytest.mark.slow
def test_predict_refuses_a_model_of_another_game_and_a_game_that_it_does_not_know() -> None:
    refusal = refused("predict", "--game", "xiangqi", "--model", "chess")
    assert "the model 'chess' plays chess, not xiangqi" in refusal
    assert "unknown game 'go'. Known: chess, xiangqi" in refused("predict", "--game", "go")
    found = json.loads(zeroply("predict", "--model", "xiangqi", "--json").stdout)
    assert found["moves"][0]["move"] in {"h2e2", "b2e2"}


@pytest.mark.slow
def test_recipes_models_and_version_are_listed() -> None:
    assert "intuition" in zeroply("recipes").stdout
    assert "outcome_weight" in zeroply("recipes", "intuition").stdout
    about = json.loads(zeroply("models", "--json").stdout)
    assert {name: (net["game"], net["recipe"]) for name, net in about.items()} == {
        "chess": ("chess", "intuition"),
        "xiangqi": ("xiangqi", "intuition"),
    }
    assert "xiangqi" in zeroply("models").stdout
    assert zeroply("--version").stdout.startswith("zeroply ")


@pytest.mark.slow
def test_train_export_and_play_a_run(corpus: Path, tmp_path: Path) -> None:
    settings = ["width=32", "depth=1", "heads=2", "inner=32", "drawing=8", "steps=3", "batch=64"]
    run = tmp_path / "run"
    zeroply("train", "intuition", corpus, "--out", run, *(f"--set={setting}" for setting in settings))
    for extra, size in (((), 1_000_000), (("--int8",), 400_000)):
        out = tmp_path / f"model{len(extra)}.onnx"
        zeroply("export", run, out, "--licence", "CC0-1.0", *extra)
        assert load_network(str(out)).about["licence"] == "CC0-1.0"
        assert 0 < out.stat().st_size < size
        assert len(json.loads(zeroply("predict", "--model", out, "--json").stdout)["moves"]) == 5
    assert "train" in zeroply("train", "--help").stdout


@pytest.mark.slow
def test_uci_answers() -> None:
    said = zeroply("uci", text="uci\nisready\nposition startpos moves e2e4\ngo\nquit\n").stdout
    assert "uciok" in said
    assert "bestmove " in said.splitlines()[-1]


@pytest.mark.slow
def test_ucci_answers() -> None:
    said = zeroply("ucci", text="ucci\nposition startpos\ngo\nquit\n").stdout
    assert "ucciok" in said
    assert said.splitlines()[-1] == "bye"
    assert said.splitlines()[-2].startswith("bestmove ")


@pytest.mark.slow
@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_training_keeps_its_model_and_says_so(
    corpus: Path, tmp_path: Path, signal_number: int
) -> None:
    settings = ["width=32", "depth=1", "heads=2", "inner=32", "steps=1000000", "batch=64"]
    words = ["train", "intuition", str(corpus), "--out", str(tmp_path / "run")]
    run = subprocess.Popen(
        [*PROGRAM, *words, *(f"--set={setting}" for setting in settings)],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert run.stderr is not None
    assert any("positions/s" in line for line in run.stderr)  # it is under way
    run.send_signal(signal_number)
    said = run.stderr.read()
    assert run.wait() == 130
    assert "last.safetensors has what it learned up to step " in said
    assert len(json.loads(zeroply("predict", "--model", tmp_path / "run", "--json").stdout)["moves"]) == 5


@pytest.mark.parametrize("how", ["KeyboardInterrupt", "ImportError from KeyboardInterrupt()"])
@pytest.mark.parametrize("program", ["main", "uci", "ucci"])
def test_a_program_that_is_stopped_while_it_starts_says_so(program: str, how: str) -> None:
    """As if Ctrl-C came while the first of its modules is looked for, or within a compiled one."""
    code = (
        "import sys\n"
        "class Impatient:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name.startswith('zeroply.apps'): raise {how}\n"
        f"from zeroply.__main__ import {program}\n"
        "sys.meta_path.insert(0, Impatient())\n"
        f"{program}()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "stopped\n")


def test_the_option_names_all_games() -> None:
    assert NAMES == GAMES


@pytest.mark.slow
def test_perft_counts_lines_of_either_game() -> None:
    assert zeroply("perft", 2, "--game", "xiangqi").stdout.splitlines()[-1] == "1920"
    assert zeroply("perft", 3).stdout.splitlines()[-1] == "8902"
    lines = zeroply("perft", 1, "4k4/9/9/9/9/9/9/9/9/3K5 w", "--game", "xiangqi").stdout.splitlines()
    assert lines == ["d0d1: 1", "1"]
    assert "unknown game 'shogi'. Known: chess, xiangqi" in refused("perft", 1, "--game", "shogi")
    assert "cannot arise in xiangqi" in refused("perft", 1, "4k4/9/9/9/9/9/9/9/9/4K4 w", "--game", "xiangqi")
