"""`python -m zeroply.players.labelling`, as machines without the command line's packages have it."""

from __future__ import annotations

import lzma
import sys
from pathlib import Path

import pytest

from tests.players.labelling.asking import teller
from zeroply.errors import ZeroplyError
from zeroply.players.labelling.__main__ import main

pytestmark = pytest.mark.usefixtures("unhurried_greetings")

MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"


def label(monkeypatch: pytest.MonkeyPatch, fens: Path, *words: object, engine: str = teller()) -> None:
    arguments = [fens, fens.parent / "work", f"--engine={engine}", "--nodes=5", *words]
    monkeypatch.setattr(sys, "argv", ["labelling", *map(str, arguments)])
    main()


def test_a_packed_list_is_read(
    fens: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    packed = fens.with_suffix(".txt.xz")
    packed.write_bytes(lzma.compress(fens.read_bytes()))
    label(monkeypatch, packed)
    count = len(fens.read_text().splitlines())
    assert f"labels.csv: {count} positions by Teller 1.0; 0 over, 0 failed, 0 left" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("lines", "engine", "wanted"),
    [
        (f"{MATED}\n", teller(), "nothing was labelled. All games are over there: give other positions"),
        (
            "4k3/8/8/8/8/8/8/4K2Q b - - 0 1\n",
            teller("crash", "any"),
            "failed.txt says why; to ask again, remove ",
        ),
        ("", teller(), "holds no positions. Give a file with one FEN a line"),
    ],
)
def test_where_nothing_is_labelled_it_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: str, engine: str, wanted: str
) -> None:
    source = tmp_path / "fens.txt"
    source.write_text(lines)
    with pytest.raises(ZeroplyError, match=wanted) as caught:
        label(monkeypatch, source, engine=engine)
    assert str(source) in str(caught.value)


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("--nodes=0", "argument --nodes: '0' is not a whole number, 1 or more"),
        ("--workers=x", "argument --workers: 'x' is not a whole number, 1 or more"),
        ("--multipv=-1", "argument --multipv"),
        ("--patience=0", "argument --patience"),
        ("--max-time=9", "the time '9' is not HH:MM:SS"),
    ],
)
def test_bad_numbers_are_one_line(
    fens: Path, monkeypatch: pytest.MonkeyPatch, word: str, wanted: str
) -> None:
    with pytest.raises(ZeroplyError, match=wanted) as caught:
        label(monkeypatch, fens, word)
    assert "\n" not in str(caught.value)
