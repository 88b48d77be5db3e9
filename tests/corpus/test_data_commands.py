"""`zeroply data …` on a corpus: what people read, what programs read, what is said after Ctrl-C."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.corpus.commands import Command, names_in
from tests.sources import CHESS, SAMPLE, XIANGQI, XIANGQI_SAMPLE
from zeroply.apps.cli.data import MOST_ROWS
from zeroply.corpus.build import build
from zeroply.corpus.readers.files import COMPRESSED


def test_info_names_what_it_counts(zeroply: Command, sample: Path, tmp_path: Path) -> None:
    told = zeroply("data", "info", sample).out
    assert "│ move table       │ 1,968 moves, " in told
    assert "│ other starts     │ 0 " in told
    assert "│ positions " not in told
    assert "│ moves " not in told
    assert "(share 0.01)" in told
    sha256 = json.loads(zeroply("data", "info", sample, "--json").out)["sources"][0]["sha256"]
    assert f"{SAMPLE.name} ({sha256[:8]})" in told
    assert "where" not in told
    assert "None" not in told
    build(tmp_path / "some", [SAMPLE], CHESS, where="plies > 20")
    assert "│ where            │ plies > 20" in zeroply("data", "info", tmp_path / "some").out


def test_all_columns_of_a_game_are_readable(
    zeroply: Command, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = zeroply("data", "sql", sample, "SELECT * FROM games WHERE game = 2").out.splitlines()
    assert lines[0] == "1 rows"
    values = dict(line.split(maxsplit=1) for line in lines[2:] if " " in line.strip())
    assert values["game"] == "2"
    assert values["split"] in ("train", "validation", "test")
    assert values["Date"]


def test_people_get_so_many_rows_and_programs_all(zeroply: Command, sample: Path) -> None:
    question = f"SELECT range AS number FROM range({MOST_ROWS + 234})"  # noqa: S608 (a test)
    told = zeroply("data", "sql", sample, question).out
    assert told.startswith("1,234 rows\n")
    assert told.endswith("and 234 more rows: --json prints all\n")
    assert told.count("│ ") == MOST_ROWS
    assert len(json.loads(zeroply("data", "sql", sample, question, "--json").out)) == MOST_ROWS + 234


def test_sums_and_dates_are_json(zeroply: Command, sample: Path) -> None:
    question = "SELECT sum(plies) AS plies, DATE '2020-01-01' AS day, 'nan'::DOUBLE AS x FROM games"
    (row,) = json.loads(zeroply("data", "sql", sample, question, "--json").out)
    assert row["plies"] == json.loads((sample / "manifest.json").read_text())["plies"]
    assert (row["day"], row["x"]) == ("2020-01-01", None)


def test_after_ctrl_c_a_command_says_what_became_of_its_work(
    zeroply: Command, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("zeroply.corpus.build.merge", stop)
    done = zeroply("data", "build", tmp_path / "out", SAMPLE)
    assert (done.code, done.error.strip()) == (130, "stopped; the same command goes on where it was")
    monkeypatch.setattr("zeroply.corpus.exports.pgn._header", stop)
    done = zeroply("data", "export", sample, tmp_path / "out.pgn", "--format", "pgn")
    assert (done.code, done.error.strip()) == (130, f"stopped; nothing was written to {tmp_path / 'out.pgn'}")
    assert names_in(tmp_path) == {".out.building"}
    monkeypatch.setattr("zeroply.corpus.show.describe", stop)
    assert zeroply("data", "show", sample).error.strip() == "stopped"


@pytest.mark.parametrize(
    "command", [["show"], ["label", "out", "--engine", "cat", "--nodes", 1]], ids=lambda words: words[0]
)
def test_a_corpus_of_another_game_is_refused(
    refused: Callable[..., str], sample: Path, command: list[object]
) -> None:
    name, *rest = command
    refusal = refused("data", name, sample, *rest, "--game", "xiangqi")
    assert refusal.startswith(f"the corpus {sample} is of chess, not xiangqi. Leave out --game xiangqi")
    assert "unknown game 'go'" in refused("data", name, sample, *rest, "--game", "go")


def test_a_corpus_has_its_own_game_and_a_file_the_one_asked_for(zeroply: Command, tmp_path: Path) -> None:
    build(tmp_path / "corpus", [XIANGQI_SAMPLE], XIANGQI)
    own = zeroply("data", "show", tmp_path / "corpus").out
    assert own == zeroply("data", "show", tmp_path / "corpus", "--game", "xiangqi").out
    assert zeroply("data", "show", XIANGQI_SAMPLE, "--game", "xiangqi").code == 0
    assert zeroply("data", "show", XIANGQI_SAMPLE).code == 2


def test_a_build_counts_plies(zeroply: Command, tmp_path: Path) -> None:
    """A move of chess players is two of them."""
    told = zeroply("data", "build", tmp_path / "out", SAMPLE).out
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert told.startswith(f"{tmp_path / 'out'}: {manifest['games']:,} games, {manifest['plies']:,} plies")


@pytest.mark.parametrize("share", ["--validation", "--test"])
def test_shares_have_the_range_that_the_help_tells(refused: Callable[..., str], share: str) -> None:
    wanted = f"{share} 1.0 will not do: it must be from 0 to 0.99. See "
    assert wanted in refused("data", "build", "out", SAMPLE, share, 1)
    refusal = refused("data", "build", "out", SAMPLE, "--validation", 0.5, "--test", 0.5)
    assert "leave no games to train on" in refusal


@pytest.mark.parametrize("measure", ["puzzles", "suite"])
def test_the_help_names_all_packings(zeroply: Command, measure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert f"({' '.join(COMPRESSED)} too)" in zeroply("eval", measure, "--help").out
