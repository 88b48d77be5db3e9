"""How results are shown: tables that fit, records where they do not."""

from __future__ import annotations

import pytest

from zeroply.apps.cli.show import print_json, table


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


def test_json_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        print_json({"nll": float("nan")})
