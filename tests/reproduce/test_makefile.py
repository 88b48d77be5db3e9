"""The whole way from records to what the nets learn from, with few games."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.sources import CHESS, ENGINE_SAMPLE, PUZZLES, ROOT, SAMPLE, XIANGQI, XIANGQI_SAMPLE
from zeroply.corpus.build import build
from zeroply.corpus.readers import read
from zeroply.corpus.score import Kind, Score
from zeroply.corpus.store import Corpus

FEW = {
    "ODDS": 20,
    "ODDS_GAMES": 4,
    "OWN_GAMES": 2,
    "SELF_GAMES": 2,
    "WON_GAMES": 2,
    "LABELS": 40,
    "XIANGQI_LABELS": 20,
    "XIANGQI_ODDS": 20,
    "XIANGQI_GAMES": 1,
    "WORKERS": 1,
}


def make(*words: str, out: Path, data: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "-f", ROOT / "reproduce" / "Makefile", *words, f"DATA={data}", f"OUT={out}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )


def with_few(goal: str, out: Path) -> None:
    done = make(goal, *(f"{name}={count}" for name, count in FEW.items()), out=out)
    assert done.returncode == 0, done.stderr[-2000:]
    again = make("-q", goal, out=out)
    assert again.returncode == 0, "what is there is not made again"


def kinds(corpora: Sequence[Path]) -> dict[str, set[int]]:
    return {path.name: set(Corpus.open(path).kinds.tolist()) for path in corpora}


def records(out: Path) -> None:
    """What `zeroply data build` makes of public records: here of samples."""
    for name, source, game in (
        ("c2300", SAMPLE, CHESS),
        ("eng", ENGINE_SAMPLE, CHESS),
        ("cpz", PUZZLES, CHESS),
        ("cxq", XIANGQI_SAMPLE, XIANGQI),
    ):
        build(out / name, [source], game)


def openings(out: Path) -> None:
    games = (game for game in read(ENGINE_SAMPLE, CHESS) if isinstance(game, Score))
    fens = {game.start or CHESS.start().fen() for game in games}
    (out / "openings.epd").write_text("".join(f"{fen}\n" for fen in sorted(fens)[:20]))


@pytest.mark.slow
@pytest.mark.engine
def test_what_the_chess_net_learns_from(tmp_path: Path) -> None:
    records(tmp_path)
    openings(tmp_path)
    with_few("chess", tmp_path)
    names = ("codds", "labR", "labH", "cwon", "labV")
    of = kinds([tmp_path / name for name in names])
    assert of["labR"] == of["labH"] == {Kind.label}
    assert of["cwon"] == of["labV"] == {Kind.engine}
    assert of["codds"] <= {Kind.human, Kind.engine}
    for name in ("labR", "labH", "labV"):
        assert Corpus.open(tmp_path / name).has_lines, name


@pytest.mark.slow
@pytest.mark.engine("fairy-stockfish")
def test_what_the_xiangqi_net_learns_from(tmp_path: Path) -> None:
    records(tmp_path)
    with_few("xiangqi", tmp_path)
    of = kinds([tmp_path / name for name in ("xlab", "xodds", "xown")])
    assert of == {name: {Kind.label} for name in ("xlab", "xodds", "xown")}
    assert all(Corpus.open(tmp_path / name).game.name == "xiangqi" for name in of)


@pytest.mark.parametrize("goal", ["table", "chess", "xiangqi"])
def test_the_readme_tells_what_a_goal_makes_and_what_is_there_is_not_made(tmp_path: Path, goal: str) -> None:
    names = [tmp_path / name for name in told_in_readme(goal)]
    assert names
    for name in names:
        name.touch()
    assert make("-q", goal, out=tmp_path).returncode == 0
    for name in names:
        name.unlink()
        assert make("-q", goal, out=tmp_path).returncode == 1, f"{goal} does not make {name.name}"
        name.touch()


def told_in_readme(goal: str) -> set[str]:
    """What stands in a goal's lines of the table: the first names the goal, the others leave it out."""
    found, of = set[str](), ""
    for line in (ROOT / "reproduce" / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 5:
            of = cells[1].strip("`") or of
            names = re.findall(r"`([^`]+)`", re.sub(r", as `.*", "", cells[2]))
            found.update(names if of == goal else [])
    return found


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    done = subprocess.run(
        ["make", "-f", ROOT / "reproduce" / "Makefile", "table", f"OUT={tmp_path}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "DATA=FOLDER OUT=FOLDER table" in done.stderr


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    done = make("table", out=tmp_path, data=tmp_path / "nowhere")
    assert done.returncode == 2
    assert "nowhere is no folder" in done.stderr
    assert not list(tmp_path.iterdir())


def test_blanks_in_names_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "two words"
    folder.mkdir()
    for places in ({"out": folder, "data": ROOT}, {"out": tmp_path, "data": folder}):
        done = make("table", **places)
        assert done.returncode == 2
        assert "without any, such as links" in done.stderr


def test_records_that_are_not_there_are_named(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    done = make("table", out=tmp_path / "out", data=tmp_path / "data")
    assert done.returncode == 2
    assert f"there is no {tmp_path / 'data' / 'unpack.py'}: reproduce/README.md lists" in done.stderr
