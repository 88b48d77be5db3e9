"""Commands as people call them: in a process of their own, good input and bad."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from tests.sources import ROOT, SAMPLE
from zeroply.apps.cli import app
from zeroply.apps.cli.eval_options import Asked, Mode, net_and_about, player_and_about
from zeroply.apps.cli.games import NAMES
from zeroply.errors import ArtefactError, ZeroplyError
from zeroply.games import GAMES
from zeroply.players.load import load_network

PUZZLES = ROOT / "examples" / "puzzles.csv"


def zeroply(*arguments: object, code: int = 0, text: str | None = None) -> subprocess.CompletedProcess[str]:
    program = "from zeroply.apps.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        capture_output=True,
        text=True,
        input=text,
        check=False,
    )
    assert done.returncode == code, done.stderr + done.stdout
    return done


def refused(*arguments: object) -> str:
    """The one line that a command prints when it refuses its input."""
    lines = zeroply(*arguments, code=2).stderr.strip().splitlines()
    assert len(lines) == 1, lines
    return lines[0]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("corpora") / "sample"
    zeroply("data", "build", out, SAMPLE, "--validation", "0.1", "--test", "0.2")
    return out


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
def test_predict_prints_json_that_sums_up() -> None:
    found = json.loads(zeroply("predict", "--moves", "e2e4 e7e5", "--top", "100", "--json").stdout)
    assert sum(move["probability"] for move in found["moves"]) == pytest.approx(1, abs=1e-6)
    assert sum(found["wdl"]) == pytest.approx(1, abs=1e-3)
    assert found["moves"][0]["move"] == "g1f3"


@pytest.mark.slow
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
    settings = ["width=32", "depth=1", "heads=2", "inner=32", "steps=3", "batch=64"]
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
@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["predict", "not a fen"], "'not a fen' is not a chess position"),
        (["predict", "--moves", "e2e4 e7e4"], "ply 2: 'e7e4' is not legal in rnbqkbnr/pppppppp/8/8/4P3/"),
        (["predict", "--game", "xiangqi", "--moves", "h3e3"], "R w - - 0 1. Squares are a0 to i9"),
        (["predict", "--model", "nothing"], "there is no model 'nothing'. Bundled: chess, xiangqi"),
        (
            ["predict", "--model", str(PUZZLES)],
            "puzzles.csv' is no model. Bundled: chess, xiangqi; otherwise",
        ),
        (["eval", "match", "chess", str(PUZZLES)], "puzzles.csv' is no player. A player is a MODEL"),
        (["predict", "--model", str(ROOT / "docs")], "docs is no run, or one that has kept nothing yet"),
        (["predict", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], "there is no move in 7k/5Q2"),
        (["data", "build", "out", "missing.pgn"], "missing.pgn does not exist. Check the path"),
        (
            ["data", "label", "missing", "out", "--engine", "cat", "--nodes", "1"],
            "missing does not exist. Give a corpus, or a file with one FEN a line",
        ),
        (["data", "build", "out", "x.pgn", "--game", "go"], "unknown game 'go'"),
        (["data", "info", "."], "is not a corpus: it has no manifest.json. Make one: zeroply data build"),
        (["train", "intuition", ".", "--out", "run"], ". is not a corpus: it has no manifest.json"),
        (["eval", "match", "chess", "uci:no-such-engine"], "no engine 'no-such-engine'"),
        (["eval", "match", "chess", "rndom"], "there is no player 'rndom'. A player is a MODEL"),
        (
            ["eval", "match", "chess", "random", "--games", "0"],
            "--games 0 will not do: it must be at least 1",
        ),
        (["predict", "--elo", "2299"], "--elo 2299 will not do: the model knows players from 2300 to 2850"),
        (["predict", "--elo", "2400", "--game", "xiangqi"], "this model has not learnt from ratings"),
        (["predict", "4k4/9/9/9/9/9/9/9/9/3K5"], "8 rows in position part of fen. 10 ranks are a board of"),
        (["predict", "8/8/2k5/K1q5", "w", "-", "-"], "(w - -). A FEN goes in quotes: '8/8/2k5/K1q5 …'"),
        (["perft", "2", "8/8/2k5/K1q5", "w"], "(w). A FEN goes in quotes: '8/8/2k5/K1q5 …'"),
        (["predict", "one", "two"], "(two). See "),
        (["perft", "x"], "depth 'x' will not do: it must be a whole number. See "),
        (["perft", "-1"], "-1 will not do: it must not be negative. See "),
        (["perft", "--depth"], "No such option: --depth. See "),
        (["eval", "puzzles", "chess", "missing.csv"], "missing.csv does not exist. Check the path"),
        (["eval", "puzzles", "nothing", str(PUZZLES)], "there is no player 'nothing'. A player is a MODEL"),
        (
            ["eval", "puzzles", "chess look=far", str(PUZZLES)],
            "look=far in player 'chess look=far' is not one",
        ),
        (["predict", "--look", "far"], "look=far of 'chess' will not do: it is one of policy, successors"),
        (["eval", "puzzles", "random", str(PUZZLES), "--mode", "human"], "are for models, not for 'random'"),
        (
            ["eval", "suite", "chess", "x.epd", "--game", "xiangqi"],
            "the model 'chess' plays chess, not xiangqi",
        ),
        (["eval", "suite", "chess", "missing.epd"], "missing.epd does not exist"),
        (["eval", "suite", "chess", str(PUZZLES)], "puzzles.csv, line 1: 'PuzzleId"),
        (["eval", "legality", "chess", str(PUZZLES)], "puzzles.csv is a file, not a corpus"),
        (["eval", "calibration", "chess", "missing"], "missing is not a corpus"),
        (["export", "missing.safetensors", "out.onnx"], "missing.safetensors"),
        (["eval", "puzzles", "chess", str(PUZZLES), "--elo", "2400"], "--elo 2400 is for --mode human"),
        (
            ["eval", "puzzles", "chess", str(PUZZLES), "--elo", "1200", "--mode", "human"],
            "--elo 1200 will not do: the model knows players from 2300 to 2850",
        ),
        (
            ["eval", "puzzles", "chess", str(PUZZLES), "--limit", "0"],
            "--limit 0 will not do: it must be at least 1.",
        ),
        (["export", "run", "model.safetensors"], "does not end in .onnx"),
        (["train"], "are required: recipe, CORPUS[=WEIGHT], --out. See zeroply train --help"),
        (["predict", "--top"], "Option '--top' requires an argument"),
        (["no-such-command"], "No such command 'no-such-command'"),
        (["recipes", "nothing"], "there is no recipe 'nothing'"),
        (["serve", "--model", "nothing"], "there is no model 'nothing'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_input_is_one_line_and_exit_code_2(arguments: list[str], part: str) -> None:
    assert part in refused(*arguments)


def test_a_model_file_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "junk.onnx").write_bytes(b"junk")
    assert "junk.onnx is not a readable ONNX model" in refused("predict", "--model", tmp_path / "junk.onnx")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "part"),
    [
        ("{", "is damaged. Make it again: zeroply export"),
        ("[]", "the manifest in "),
        ('{"game": "chess"}', "was made for move table None"),
        ({"history": "x"}, "the manifest in "),
        ({"digest": "x"}, "was made for move table x (chess, 1968 moves)"),
        ({"game": "go"}, "unknown game 'go'"),
        (None, "is not a readable ONNX model"),
    ],
    ids=str,
)
def test_a_model_file_that_is_damaged_is_named(
    tmp_path: Path, change: str | dict[str, str] | None, part: str
) -> None:
    import onnx

    from zeroply.artefacts import bundled

    path = tmp_path / "model.onnx"
    if change is None:
        whole = bundled()["chess"].read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
    else:
        net = onnx.load(str(bundled()["chess"]))
        (about,) = [entry for entry in net.metadata_props if entry.key == "zeroply"]
        about.value = change if isinstance(change, str) else json.dumps(json.loads(about.value) | change)
        onnx.save(net, str(path))
    assert part in refused("predict", "--model", path)


@pytest.mark.parametrize(
    ("setting", "part"),
    [
        ("heads=3", "width=256 cannot be shared by heads=3"),
        ("width=-4", "width=-4 of 'intuition' must be at least 1"),
        ("steps=0", "steps=0 of 'intuition' must be at least 1"),
        ("batch=0", "batch=0 of 'intuition' must be at least 1"),
        ("rate=nan", "rate=nan of 'intuition' must be a number"),
    ],
)
@pytest.mark.slow
def test_options_of_no_use_are_refused_before_training(
    corpus: Path, tmp_path: Path, setting: str, part: str
) -> None:
    assert part in refused("train", "intuition", corpus, "--out", tmp_path / "run", "--set", setting)
    assert not (tmp_path / "run" / "model.safetensors").exists()


def test_a_place_that_cannot_be_written_is_one_line(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "Not a directory" in refused("data", "build", tmp_path / "file" / "corpus", SAMPLE)


@pytest.mark.slow
def test_a_link_is_followed_and_a_device_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    arguments = ["eval", "puzzles", "chess", PUZZLES, "--limit", 2, "--json"]
    zeroply(*arguments, tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "real.json").read_text())["n"] == 2
    zeroply(*arguments, "/dev/null")
    assert Path("/dev/null").is_char_device()


@pytest.mark.slow
@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_training_keeps_its_model_and_says_so(
    corpus: Path, tmp_path: Path, signal_number: int
) -> None:
    settings = ["width=32", "depth=1", "heads=2", "inner=32", "steps=1000000", "batch=64"]
    program = "from zeroply.apps.cli import main; main()"
    words = ["train", "intuition", str(corpus), "--out", str(tmp_path / "run")]
    run = subprocess.Popen(
        [sys.executable, "-c", program, *words, *(f"--set={setting}" for setting in settings)],
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


def test_a_refusal_has_no_name_of_a_class_before_it() -> None:
    assert refused("predict", "--game", "go") == "unknown game 'go'. Known: chess, xiangqi"


def test_an_existing_corpus_is_not_overwritten(corpus: Path) -> None:
    assert "exists. Choose another folder" in refused("data", "build", corpus, SAMPLE)


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


def commands_within(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands_within(inner, (*path, name))
    if not hasattr(command, "commands"):
        yield path, command


TARGETS = [
    pytest.param(command, param.opts[0], id=" ".join((*path, param.opts[0])))
    for path, command in commands_within(get_command(app))
    for param in command.params
    if {"--json", "--svg", "--png"} & set(param.opts) and not param.is_flag
]


def test_all_that_measure_write_to_a_target() -> None:
    measures = ("accuracy", "calibration", "ladder", "legality", "match", "puzzles", "suite")
    drawn = ("eval calibration", "eval ladder", "predict")
    wanted = {*(f"eval {name} --json" for name in measures), *(f"{name} --svg" for name in drawn)}
    assert {str(param.id) for param in TARGETS} >= wanted


@pytest.mark.parametrize(("command", "option"), TARGETS)
def test_a_target_that_cannot_be_written_is_refused_before_any_work(
    command: Any, option: str, tmp_path: Path
) -> None:
    """Even before the models and files, none of which is there."""
    (tmp_path / "file").write_text("")
    needed = ["none" for param in command.params if param.required]
    for place, part in ((tmp_path, "is a folder"), (tmp_path / "file" / "x", "is no folder for you")):
        with pytest.raises(ArtefactError, match=part):
            command.main([*needed, option, str(place)], standalone_mode=False)


@pytest.mark.parametrize(("command", "option"), TARGETS)
def test_a_picture_has_its_own_suffix(command: Any, option: str, tmp_path: Path) -> None:
    """Programs know pictures by it; numbers may go anywhere."""
    needed = ["none" for param in command.params if param.required]
    wanted = {"--svg": "does not end in .svg", "--png": "does not end in .png"}.get(option, "none")
    with pytest.raises(ZeroplyError, match=wanted):
        command.main([*needed, option, str(tmp_path / "x.txt")], standalone_mode=False)


@pytest.mark.slow
def test_a_device_needs_no_suffix() -> None:
    assert "/dev/null: the board" in zeroply("predict", "--svg", "/dev/null").stderr
