"""Bad input: one line that names the thing, exit code 2, and nothing half-written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import refused
from tests.shipped import KNOWS, LOWEST
from tests.sources import PUZZLES, ROOT, SAMPLE


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
        (["data", "info", "no-such"], "no-such does not exist. Make one: zeroply data build OUT SOURCE"),
        (["train", "intuition", ".", "--out", "run"], ". is not a corpus: it has no manifest.json"),
        (["eval", "match", "chess", "uci:no-such-engine"], "no engine 'no-such-engine'"),
        (["eval", "match", "chess", "rndom"], "there is no player 'rndom'. A player is a MODEL"),
        (
            ["eval", "match", "chess", "random", "--games", "0"],
            "--games 0 will not do: it must be at least 1",
        ),
        (["predict", "--elo", str(LOWEST - 1)], f"--elo {LOWEST - 1} will not do: {KNOWS}"),
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
        (["eval", "calibration", "chess", "missing"], "missing does not exist"),
        (["export", "missing.safetensors", "out.onnx"], "missing.safetensors"),
        (["eval", "puzzles", "chess", str(PUZZLES), "--elo", "2400"], "--elo 2400 is for --mode human"),
        (
            ["eval", "puzzles", "chess", str(PUZZLES), "--elo", "1200", "--mode", "human"],
            f"--elo 1200 will not do: {KNOWS}",
        ),
        (
            ["eval", "puzzles", "chess", str(PUZZLES), "--limit", "0"],
            "--limit 0 will not do: it must be at least 1.",
        ),
        (["export", "run", "model.safetensors"], "does not end in .onnx"),
        (["train"], "are required: recipe, CORPUS[=WEIGHT], --out. See zeroply train --help"),
        (["predict", "--top"], "Option '--top' requires an argument"),
        (["no-such-command"], "No such command 'no-such-command'"),
        (["predct"], "No such command 'predct'. Did you mean 'predict'? See "),
        (["recipes", "nothing"], "there is no recipe 'nothing'"),
        (["serve", "--model", "nothing"], "there is no model 'nothing'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_input_is_one_line_and_exit_code_2(arguments: list[str], part: str) -> None:
    assert part in refused(*arguments)


@pytest.mark.parametrize("measure", ["accuracy", "legality", "calibration"])
def test_a_model_with_options_is_not_said_to_be_missing(corpus: Path, measure: str) -> None:
    line = refused("eval", measure, "chess best=engine", corpus)
    assert line.startswith("'chess best=engine' has options, and a model without any is measured on a corpus")
    assert line.endswith("Give chess, and whom it should play like by --mode and --elo")
    assert "there is no model 'not there'" in refused("eval", measure, "not there", corpus)


def test_what_stood_in_a_file_does_not_command_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "junk.epd").write_bytes(b"\x1b[2J\x07\x9b junk")
    assert r"'\x1b[2J\x07" in refused("eval", "suite", "chess", tmp_path / "junk.epd")


def test_a_place_where_nothing_can_be_written_is_named_as_it_was_given(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    place = tmp_path / "file" / "page"
    assert f"{place} cannot be written: " in refused("serve", "--static", place)


def test_a_model_file_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "junk.onnx").write_bytes(b"junk")
    assert "junk.onnx is not a readable ONNX model" in refused("predict", "--model", tmp_path / "junk.onnx")


WRONG = (None, "all", ["all"])
"""Some of what no manifest says of a training."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "part"),
    [
        ("{", "is damaged. Make it again: zeroply export"),
        ("[]", "the manifest in "),
        ('{"game": "chess"}', "was made for move table None"),
        ({"history": "x"}, "the manifest in "),
        *(({"training": wrong}, "is damaged. Make it again: zeroply export") for wrong in WRONG),
        ({"digest": "x"}, "was made for move table x (chess, 1968 moves)"),
        ({"game": "go"}, "unknown game 'go'"),
        (None, "is not a readable ONNX model"),
    ],
    ids=str,
)
def test_a_model_file_that_is_damaged_is_named(
    tmp_path: Path, change: str | dict[str, object] | None, part: str
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


def test_a_refusal_has_no_name_of_a_class_before_it() -> None:
    assert refused("predict", "--game", "go") == "unknown game 'go'. Known: chess, xiangqi"


def test_an_existing_corpus_is_not_overwritten(corpus: Path) -> None:
    assert "exists. Choose another folder" in refused("data", "build", corpus, SAMPLE)
