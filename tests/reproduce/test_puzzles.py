"""The puzzles that are held out."""

from __future__ import annotations

import csv
from pathlib import Path

from reproduce.puzzles import held_out, split
from tests.sources import PUZZLES


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
