"""Labels written for other programs: the moves that only led there are nobody's."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.corpus.exports.back import assert_equal, rebuilt
from tests.corpus.sample.corpora import LABELS
from tests.sources import CHESS
from zeroply.corpus.build import build
from zeroply.corpus.exports import export
from zeroply.corpus.store import Corpus

BEST = ["b8c6", "g1f3", "e2e4", "e1g1"]


@pytest.fixture
def labels(tmp_path: Path) -> Corpus:
    (tmp_path / "labels.csv").write_text(LABELS, encoding="utf-8")
    build(tmp_path / "labels", [tmp_path / "labels.csv"], CHESS)
    corpus = Corpus.open(tmp_path / "labels")
    assert corpus.past.tolist() == [5, 2, 0, 1]
    return corpus


def test_pgn_tells_which_moves_only_led_there(labels: Corpus, tmp_path: Path) -> None:
    export(labels, tmp_path / "games.pgn", "pgn")
    again = rebuilt(tmp_path / "games.pgn", tmp_path / "again")
    assert_equal(again, labels, ("kinds", "evaluations", "past"))
    assert (again.splits == labels.splits)[labels.past > 0].all()
    assert "Past" not in again.tags().column_names


@pytest.mark.parametrize("told", ["99", "-1", "x", "3"])
def test_a_past_that_is_no_part_of_the_game_is_none(tmp_path: Path, told: str) -> None:
    (tmp_path / "games.pgn").write_text(f'[Past "{told}"]\n\n1. e4 e5 2. Nf3 *\n', encoding="utf-8")
    build(tmp_path / "x", [tmp_path / "games.pgn"], CHESS)
    assert Corpus.open(tmp_path / "x").past.tolist() == [0]


def test_rows_are_those_that_an_engine_judged(labels: Corpus, tmp_path: Path) -> None:
    assert export(labels, tmp_path / "rows.csv", "csv").endswith("4 games, 4 positions")
    assert [line.split(",")[3] for line in (tmp_path / "rows.csv").read_text().splitlines()[1:]] == BEST
    assert export(labels, tmp_path / "rows.parquet", "parquet").endswith("4 games, 4 positions")
    table = pq.read_table(tmp_path / "rows.parquet").to_pydict()
    assert table["move"] == BEST
    assert table["evaluation"] == [20, 30, 25, 990]
    assert table["repeats"][0] == 1


def test_castle_has_no_words_for_them(labels: Corpus, tmp_path: Path) -> None:
    told = export(labels, tmp_path / "castle", "castle")
    assert "1 games, 1 positions" in told
    assert "3 games from other positions and labels left out" in told
