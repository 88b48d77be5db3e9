"""`zeroply eval report`: what is there is used, what is not is measured, what is another's is refused."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.commands import refused, zeroply
from tests.sources import CHESS, PUZZLES
from zeroply.apps.attention import attention_picture, looked_at, own_position
from zeroply.apps.cli.eval_options import Asked, Mode
from zeroply.apps.cli.measuring import told_of
from zeroply.apps.cli.report import _Measure, _result
from zeroply.errors import ArtefactError
from zeroply.players.load import load_network
from zeroply.players.spec import net_identity


@pytest.mark.slow
def test_results_are_made_once_and_others_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    net = net_identity("chess", load_network("chess"))
    ladder = {
        "measure": "ladder",
        "model": "chess",
        "program": net,
        "scale": "a scale",
        "n": 2,
        "elo": 1234.5,
    }
    (out / "results").mkdir(parents=True)
    (out / "results" / "chess-ladder.json").write_text(json.dumps(ladder))
    options = ("--out", out, "--puzzles", PUZZLES, "--limit", 8)
    zeroply("eval", "report", "chess", *options)
    result = out / "results" / "chess-puzzles.json"
    made = json.loads(result.read_text())
    assert (made["n"], made["measure"], made["data"]) == (8, "puzzles", "puzzles.csv")
    result.write_text(json.dumps(made | {"solved": 0.125, "solved_low": None}))
    zeroply("eval", "report", "chess", *options)
    table = (out / "report.md").read_text()
    assert "| puzzles, whole line right | puzzles.csv, 8 puzzles | 12.5 % |" in table
    assert "| rating on the ladder | a scale, 2 games | 1234 |" in table
    assert "<svg" not in (out / "report.html").read_text()  # pictures are images of their own
    result.write_text(json.dumps(made | {"data": "others.csv"}))
    refusal = refused("eval", "report", "chess", *options)
    assert "its data is 'others.csv', not 'puzzles.csv'. Remove it, or choose another --out" in refusal


def test_stale_results_are_refused(tmp_path: Path) -> None:
    """Of another file of the same name, another net of the same name, another number of puzzles …"""
    data, net = tmp_path / "p.csv", net_identity("chess", load_network("chess"))
    data.write_text("these puzzles")
    asked = Asked(model="chess", mode=Mode.best, limit=8)
    made = told_of("puzzles", data, asked) | {
        "model": "chess",
        "program": net,
        "mode": "best",
        "rules": False,
        "n": 8,
    }
    path, how = tmp_path / "chess-puzzles.json", _Measure(data, asked)
    path.write_text(json.dumps(made))
    assert _result(path, "puzzles", how, net) == made
    for name, other in (
        ("limit", None),
        ("seed", 1),
        ("mode", "human"),
        ("rules", True),
        ("program", "intuition 0123456789ab"),
        ("data_digest", "0123456789ab"),
    ):
        path.write_text(json.dumps(made | {name: other}))
        with pytest.raises(ArtefactError, match=f"is another result: its {name} is '{other}', not '"):
            _result(path, "puzzles", how, net)
    path.write_text(json.dumps(made))
    data.write_text("other puzzles")
    with pytest.raises(ArtefactError, match="its data_digest is"):
        _result(path, "puzzles", how, net)
    # Where no data is named, the net must be the same.
    assert _result(path, "puzzles", _Measure(None, asked), net) == made
    with pytest.raises(ArtefactError, match="its program is"):
        _result(path, "puzzles", _Measure(None, asked), "intuition 0123456789ab")


@pytest.mark.parametrize(
    "broken",
    [
        {"n": None},
        {"n": "eight"},
        {"solved": "abc"},
        {"solved": math.inf},
        {"solved_low": [0.1]},
        {"top1_rating_2200": "abc"},
        {"scale": {}},
    ],
    ids=str,
)
def test_results_that_no_measure_can_have_found_are_refused(tmp_path: Path, broken: dict[str, Any]) -> None:
    net = net_identity("chess", load_network("chess"))
    found = {"measure": "puzzles", "model": "chess", "program": net, "n": 8, "solved": 0.5, "scale": None}
    path, how = tmp_path / "r.json", _Measure(None, Asked(model="chess", mode=Mode.best, limit=8))
    path.write_text(json.dumps(found))
    assert _result(path, "puzzles", how, net) == found
    path.write_text(json.dumps(found | broken))
    with pytest.raises(ArtefactError, match=f"is damaged: its {next(iter(broken))} is .*Remove it, and"):
        _result(path, "puzzles", how, net)


def test_data_that_is_not_there_is_refused(tmp_path: Path) -> None:
    refusal = refused("eval", "report", "chess", "--out", tmp_path, "--puzzles", tmp_path / "none.csv")
    assert refusal.endswith("none.csv. Check the path")
    assert not (tmp_path / "report.html").exists()


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--out", "file"], "report.html cannot be written: "),
        (["--out", "new", "--fen", "garbage"], "'garbage' is not a chess position"),
        (["--out", "new"], "nothing is known of chess, so there is nothing to report. Give --corpus"),
    ],
    ids=str,
)
def test_what_will_not_do_is_refused_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], part: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    data = [] if options == ["--out", "new"] else ["--puzzles", PUZZLES]
    assert part in refused("eval", "report", "chess", *options, *data)
    assert not (tmp_path / "new").exists()


def test_attention_is_that_of_the_mover_and_turns_with_the_board(model: str) -> None:
    network = load_network(model)
    position = CHESS.start("4k3/8/8/8/8/2N5/8/4K3 w - - 0 1")
    mirrored = CHESS.start("4k3/8/2n5/8/8/8/8/4K3 b - - 0 1")
    square = 18  # c3
    there = looked_at(network, position, square)
    other = looked_at(network, mirrored, int(CHESS.mirror[square]))
    assert there is not None
    assert other is not None
    assert there.sum() == pytest.approx(1, abs=1e-4)
    np.testing.assert_allclose(there, other[CHESS.mirror], atol=1e-5)


def test_the_board_glows(model: str) -> None:
    network = load_network(model)
    position = own_position(network, 4)
    assert len(position.record()[1]) == 4
    drawn = attention_picture(network, position)
    assert drawn is not None
    assert drawn.count('fill-opacity="0.85"') == 1  # the square that is looked at most
