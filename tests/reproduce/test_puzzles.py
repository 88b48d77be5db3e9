"""The puzzles that are held out."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from reproduce.puzzles import held_out, split
from tests.sources import PUZZLES
from zeroply.errors import ReadError, ZeroplyError


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_each_puzzle_is_learnt_or_held_out(tmp_path: Path) -> None:
    train, test = tmp_path / "train.csv", tmp_path / "test.csv"
    counts = split(PUZZLES, train, test)
    every, learnt, kept = rows(PUZZLES), rows(train), rows(test)
    assert [len(learnt), len(kept)] == list(counts)
    assert [row for row in every if not held_out(row["PuzzleId"])] == learnt
    assert [row for row in every if held_out(row["PuzzleId"])] == kept
    assert kept


KEPT = ["00002", "00003", "00028", "00044"]


def test_they_are_those_that_the_results_name() -> None:
    """docs/results.md: `int(sha256(PuzzleId).hexdigest()[:8], 16) % 100 < 5`."""
    kept = [f"{n:05}" for n in range(100) if held_out(f"{n:05}")]
    assert kept == KEPT  # by `sha256sum`
    assert 0.04 < sum(held_out(f"{n:05}") for n in range(10_000)) / 10_000 < 0.06


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "has no column PuzzleId"),
        ("FEN,Moves,PuzzleId2\n1,2,3\n", "has no column PuzzleId"),
        (f"PuzzleId,Moves\n1,{'e2e4 ' * 40_000}\n", "near line 1: field larger"),
        ("PuzzleId,Moves\n1,2,3\n", "near line 2: dict contains fields"),
    ],
)
def test_what_is_no_table_of_puzzles_is_refused(tmp_path: Path, text: str, wanted: str) -> None:
    source = tmp_path / "source.csv"
    source.write_text(text)
    with pytest.raises(ReadError, match=f"{source}.*{wanted}"):
        split(source, tmp_path / "train.csv", tmp_path / "test.csv")
    assert list(tmp_path.iterdir()) == [source]


def test_blank_lines_are_none(tmp_path: Path) -> None:
    (tmp_path / "source.csv").write_text("PuzzleId,Moves\n00001,a\n\n00002,b\n")
    assert split(tmp_path / "source.csv", tmp_path / "train.csv", tmp_path / "test.csv") == [1, 1]


def test_the_parts_are_two_files(tmp_path: Path) -> None:
    with pytest.raises(ZeroplyError, match="would hold both parts"):
        split(PUZZLES, tmp_path / "a.csv", tmp_path / "b" / ".." / "a.csv")
