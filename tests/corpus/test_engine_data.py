"""The commands by which engines supply data, as they are typed."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.corpus.commands import Command, names_in
from tests.sources import CHESS
from zeroply.corpus.store import Corpus

ENGINE = f"{sys.executable} {Path(__file__).parent.parent / 'players' / 'telling_engine.py'}"


@pytest.fixture(scope="module")
def sample(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One of our own: to choose among different positions leaves a count of them beside the games."""
    return shutil.copytree(sample, tmp_path_factory.mktemp("labelled") / "sample")


def test_a_corpus_is_labelled(tmp_path: Path, sample: Path, zeroply: Command) -> None:
    out, table = tmp_path / "out", tmp_path / "labels.csv"
    wanted = ("--nodes", 5, "--multipv", 3, "--limit", 20, "--csv", table)
    done = zeroply("data", "label", sample, out, "--engine", ENGINE, *wanted)
    assert done.code == 0, done.error
    assert done.out.startswith(f"{out}: 20 positions by Teller 1.0, ")
    assert Corpus.open(out).has_lines
    assert names_in(tmp_path) == {"out", "labels.csv"}
    listed = zeroply("data", "positions", sample, tmp_path / "fens.txt", "--limit", 20)
    assert "20 positions" in listed.out
    again = zeroply("data", "label", tmp_path / "fens.txt", tmp_path / "again", "--engine", ENGINE, *wanted)
    assert again.code == 0, again.error
    for name in ("moves.npy", "evaluations.npy", "lines.npy", "positions.npy"):
        assert (out / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_games_are_played(tmp_path: Path, zeroply: Command) -> None:
    players = ("--white", f"uci:{ENGINE} nodes=3", "--black", "greedy", "--games", 3, "--max-plies", 12)
    done = zeroply("data", "generate", tmp_path / "out", *players, "--csv", tmp_path / "games.csv")
    assert done.code == 0, done.error
    assert done.out.startswith(f"{tmp_path / 'out'}: 3 games, ")
    assert names_in(tmp_path) == {"out", "games.csv"}
    assert Corpus.open(tmp_path / "out").has_evaluations
    broken = (
        "--white",
        f"uci:{ENGINE} crash any nodes=3",
        "--black",
        "greedy",
        "--games",
        2,
        "--random-plies",
        3,
    )
    done = zeroply("data", "generate", tmp_path / "other", *broken)
    assert "broke down in 2 games. The first: game 1: engine 'uci:" in done.out, done


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["label", "FENS", "OUT", "--engine", "no-such-engine", "--nodes", 5], "there is no engine"),
        (["label", "FENS", "OUT", "--engine", ENGINE], "say --nodes or --depth"),
        (["label", "NONE", "OUT", "--engine", ENGINE, "--nodes", 5], "does not exist. Give a corpus"),
        (["label", "EMPTY", "OUT", "--engine", ENGINE, "--nodes", 5], "holds no positions"),
        (["label", "FENS", "THERE", "--engine", ENGINE, "--nodes", 5], "exists"),
        (["label", "FENS", "OUT", "--engine", ENGINE, "--nodes", 0], "at least 1"),
        (["label", "THERE", "OUT", "--engine", ENGINE, "--nodes", 5], "is not a corpus"),
        (
            ["generate", "OUT", "--white", "uci:no-such-engine", "--black", "random", "--games", 2],
            "no engine",
        ),
        (["generate", "THERE", "--white", "random", "--black", "random", "--games", 2], "exists"),
        (["positions", "THERE", "OUT"], "is not a corpus"),
    ],
)
def test_what_is_refused_is_one_line(
    tmp_path: Path, refused: Callable[..., str], arguments: list[object], wanted: str
) -> None:
    (tmp_path / "fens").write_text(CHESS.start().fen())
    (tmp_path / "empty").write_text("nothing\n")
    (tmp_path / "there").mkdir()
    places = {name: tmp_path / name.lower() for name in ("FENS", "NONE", "EMPTY", "OUT", "THERE")}
    assert wanted in refused("data", *(places.get(str(word), word) for word in arguments))
    assert names_in(tmp_path) == {"fens", "empty", "there"}
