"""How results are shown: tables that fit, records where they do not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from zeroply.apps.cli.show import print_json, results, table


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def test_a_table_that_fits_is_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    table("2 rows", ("White", "plies"), [("[A]", 3), ("B " * 60, 4)])
    shown = capsys.readouterr().out
    assert "┃ White" in shown
    assert "│ [A]" in shown


def test_too_many_columns_become_records(capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"column{number}" for number in range(12)]
    table(
        "2 rows", names, [[f"value{number}" for number in range(12)], [f"[{number}]" for number in range(12)]]
    )
    lines = capsys.readouterr().out.splitlines()
    assert "column3   value3" in lines
    assert "column11  [11]" in lines
    assert max(map(len, lines)) <= 80


def test_a_table_without_names_has_no_header(capsys: pytest.CaptureFixture[str]) -> None:
    table("title", ("", ""), [("games", 3)])
    assert capsys.readouterr().out.splitlines()[1:] == ["┌───────┬───┐", "│ games │ 3 │", "└───────┴───┘"]


def test_no_rows_show_their_columns(capsys: pytest.CaptureFixture[str]) -> None:
    table("0 rows", ("game", "plies"), [])
    assert "game" in capsys.readouterr().out


def test_results_come_in_one_order_with_numbers_as_people_read_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    found = {"rules": False, "n": 8, "top1": 0.25, "top1_low": 0.1, "top1_high": 0.5, "model": "chess"}
    found |= {"elo": 123.4567, "elo_low": 7.1, "elo_high": None, "kind": None}
    results("title", found, tmp_path / "found.json", over="pairs")
    lines = [line.strip("│┃").split("│") for line in capsys.readouterr().out.splitlines() if "│" in line]
    assert [[cell.strip() for cell in line] for line in lines] == [
        ["model", "chess", ""],
        ["rules", "False", ""],
        ["n", "8", ""],
        ["top1", "0.2500", "0.1000 – 0.5000"],
        ["elo", "+123", "at least +7"],
    ]
    written = json.loads((tmp_path / "found.json").read_text())
    assert written == found
    assert next(iter(written)) == "model"


def test_a_difference_without_end_keeps_its_bound(capsys: pytest.CaptureFixture[str]) -> None:
    results("", {"elo": None, "elo_low": None, "elo_high": -31.7}, None, over="pairs")
    shown = capsys.readouterr().out
    assert "95 % interval over pairs" in shown
    assert "at most -32" in shown


def test_json_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        print_json({"nll": float("nan")})
