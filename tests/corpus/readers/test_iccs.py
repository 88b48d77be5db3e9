"""Records of xiangqi to scores: judged in step or position by position, with the same games and reasons."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.corpus.readers.mangle import mangled
from tests.corpus.readers.test_pgn import plain
from tests.games.test_xiangqi_notation import FIVE as FIVE_SOLDIERS
from tests.games.test_xiangqi_notation import TANDEM
from tests.games.xiangqi import random_line
from tests.sources import CHESS, SAMPLE, XIANGQI, XIANGQI_SAMPLE, shared
from zeroply.corpus.readers import pgn
from zeroply.corpus.readers import read as read_source
from zeroply.corpus.readers.pgn import legality
from zeroply.corpus.readers.pgn.lines import Line, Movetext
from zeroply.corpus.readers.pgn.moves import parser
from zeroply.corpus.score import Kind, Score, Skipped
from zeroply.errors import IllegalMoveError, MissingExtraError
from zeroply.games import Game

PARSE = parser(XIANGQI)
FIVE = "h2e2 h9g7 h0g2 i9h9 i0h0"
LATE = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/9/9/2BAKAB2 b - - 4 12"


def without_numba(*_: object) -> NoReturn:
    raise MissingExtraError("numba")


def read(tmp_path: Path, text: str, game: Game = XIANGQI) -> list[Score | Skipped]:
    (tmp_path / "x.pgn").write_text(text, encoding="utf-8", newline="")
    return list(read_source(tmp_path / "x.pgn", game))


def names(movetext: str, start: str | None = None) -> str:
    """The moves, or why there are none."""
    (line,) = PARSE([Movetext(movetext, start)])
    return line if isinstance(line, str) else " ".join(XIANGQI.moves.names[move] for move in line.moves)


@pytest.mark.parametrize(
    "movetext",
    [
        "1. H2-E2 H9-G7 2. H0-G2 I9-H9 3. I0-H0 1-0",
        "1. H2-E2 H9-G7\n2. H0-G2 I9-H9\n3. I0-H0",
        "1. h2-e2 h9-g7 2. h0-g2 i9-h9 3. i0-h0 *",
        "h2e2 h9g7 h0g2 i9h9 i0h0",
        "1. H2-e2 h9-G7 2. H0G2 i9-H9 3. I0h0",
        "H2E2 H9G7 H0G2 I9H9 I0H0 1/2-1/2",
        "1.H2-E2 H9-G7 2.H0-G2 2...I9-H9 3. I0-H0! $1 0-1",
        "{first} 1. H2-E2 {a cannon} (1. C3-C4 {why} (1. B0-C2)) 1... H9-G7 2. H0-G2 I9-H9 3. I0-H0 {!}",
        "1. H2-E2 ; to the end: C3-C4\n1... H9-G7 2. H0-G2 ?! I9-H9 3. I0-H0",
        "1. C2.5 H8+7 2. H2+3 R9.8 3. R1.2 *",
        "1. C2=5 h8+7 2. N2+3 r9=8 3. R1=2",
        "1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 1-0",
        "1. H2-E2 马8进7 2. H2+3 i9h9 3. 车一平二 1-0",
    ],
)
def test_spellings(movetext: str) -> None:
    assert names(movetext) == FIVE


@pytest.mark.parametrize(
    ("movetext", "reason"),
    [
        ("1. H2-E2 H9-G8 *", "ply 2: 'H9-G8' is not legal in"),  # no piece ever goes so
        ("1. H2-E2 H9-H8 *", "ply 2: h9h8 is not legal in rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4"),
        ("1. H2-E2 H2-E2 *", "ply 2: h2e2 is not legal in"),
        ("1. H9-G7 *", "ply 1: h9g7 is not legal in"),
        ("1. H3-E3 H10-G8 *", "ply 1: 'H3-E3' is not legal in"),  # ranks of UCI
        ("1. e4 e5 *", "ply 1: 'e4' is not legal in"),
        ("1. C2.5 R9.8 *", "ply 2: 'R9.8' is not legal in"),
        ("1. H2-E2 1-0 H9-G7", "there are moves after the result"),
        ("1. H2-E2 H9-G7 ) 2. H0-G2 I9-H9 1-0", "a bracket is closed that was never opened"),
        ("1-0", "it has no moves"),
        ("1. {only words} $3 *", "it has no moves"),
        ("", "it has no moves"),
    ],
)
def test_flaws(movetext: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = names(movetext)
    assert told.startswith(reason)
    monkeypatch.setattr(legality, "_in_step", without_numba)
    assert names(movetext) == told


def test_starts_of_their_own() -> None:
    assert names("12... H7-H3 13. G0-I2", LATE) == "h7h3 g0i2"
    assert names("13. G0-I2", LATE) == f"ply 1: g0i2 is not legal in {LATE}"
    assert "is not a xiangqi position" in names("1. H2-E2", "nonsense")
    found = list(PARSE([Movetext("1. H2-E2"), Movetext("1... H7-H3", LATE), Movetext("1... H7-H8")]))
    assert [isinstance(line, Line) for line in found] == [True, True, False]


@pytest.mark.parametrize("fen", [TANDEM, FIVE_SOLDIERS])
@pytest.mark.parametrize("frame", ["1. {}", "1.{}", "1.{} *", "1. {}!", "1.{}{{why}}", "{}"])
def test_soldiers_in_line_are_read_as_we_write_them(fen: str, frame: str) -> None:
    """66.5 is a move, not the sixty-sixth."""
    start = XIANGQI.start(fen)
    for move in start.legal():
        text = start.notation(int(move))
        assert names(frame.format(text), fen) == XIANGQI.moves.names[move], text


def test_comments_stand_with_their_moves(tmp_path: Path) -> None:
    (found,) = read(
        tmp_path, "1. H2-E2 { [%eval 0.5] [%clk 0:01:00] } H9-G7 (1... C6-C5 { [%eval 3.0] }) 2. H0-G2 *"
    )
    assert isinstance(found, Score)
    assert list(found.evaluations[1:]) == [-50, -32768]
    assert list(found.clocks) == [600, 2**32 - 1, 2**32 - 1]


def test_tags(tmp_path: Path) -> None:
    text = """[Game "Chinese Chess"]
[Event "e"]
[Date "09-01-12"]
[Red "甲"]
[Black "乙"]
[RedElo "2500"]
[BlackElo "x"]
[BlackType "program"]
[Result ""]
[FEN "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"]
[Format "ICCS"]

1. H2-E2 H9-G7
1-0

"""
    first, second = read(tmp_path, text + text.replace("1-0", ""))
    assert isinstance(first, Score)
    assert isinstance(second, Score)
    assert (first.result, second.result) == (1.0, None)
    for found in (first, second):
        assert (found.ratings, found.year, found.start, found.kind) == ((2500, 0), 2009, None, Kind.engine)
        assert found.tags == {
            "Game": "Chinese Chess",
            "Event": "e",
            "Date": "09-01-12",
            "Red": "甲",
            "Black": "乙",
            "BlackType": "program",
            "Format": "ICCS",
        }


def test_a_bad_game_costs_only_itself(tmp_path: Path) -> None:
    record = '[Game "Chinese Chess"]\n[Red "%s"]\n\n1. H2-E2 %s *\n\n'
    text = (
        record % ("a", "H9-G7") + record % ("b", "H9-H8") + record % ("c", "{open") + record % ("d", "H9-G7")
    )
    kinds = [item.reason if isinstance(item, Skipped) else item.tags["Red"] for item in read(tmp_path, text)]
    assert kinds[0] == "a"
    assert kinds[1].startswith("ply 2: h9h8 is not legal in ")
    assert kinds[2:] == ["a comment is not closed", "d"]


def test_records_of_the_other_game_are_told(tmp_path: Path) -> None:
    for variant in ("Standard", "Chess", "chess"):
        (found,) = read(tmp_path, f'[Variant "{variant}"]\n\n1. e4 *')
        assert isinstance(found, Skipped)
        assert found.reason == "it is a game of chess: read it with --game chess"
    for variant in ("Xiangqi", ""):
        (found,) = read(tmp_path, f'[Variant "{variant}"]\n\n1. H2-E2 *')
        assert isinstance(found, Score)
    assert all(isinstance(item, Skipped) for item in read_source(SAMPLE, XIANGQI))
    assert all(isinstance(item, Skipped) for item in read_source(XIANGQI_SAMPLE, CHESS))
    untitled = XIANGQI_SAMPLE.read_text(encoding="utf-8").replace('[Game "Chinese Chess"]\n', "")
    assert all(isinstance(item, Skipped) for item in read(tmp_path, untitled, CHESS))


def assert_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Judged either way the games are the same; how many games and how many flaws there were."""
    in_step = list(pgn.READER.read(path, XIANGQI))
    with monkeypatch.context() as patch:
        patch.setattr(legality, "_in_step", without_numba)
        assert list(map(plain, pgn.READER.read(path, XIANGQI))) == list(map(plain, in_step))
    flaws = sum(isinstance(item, Skipped) for item in in_step)
    return len(in_step) - flaws, flaws


def test_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    assert assert_the_same(XIANGQI_SAMPLE, monkeypatch) == (60, 0)


def test_mangled_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n\n[Game ".join(XIANGQI_SAMPLE.read_text(encoding="utf-8").split("\n\n[Game ")[1:31])
    good = bad = 0
    for seed in range(3):
        (tmp_path / "x.pgn").write_text(mangled(f"[Game {text}", seed), encoding="utf-8", newline="")
        counts = assert_the_same(tmp_path / "x.pgn", monkeypatch)
        good, bad = good + counts[0], bad + counts[1]
    assert good > 20
    assert bad > 20


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=60), st.integers(0, 59), st.integers(0, 2085))
def test_a_spoilt_game_ends_where_the_rules_say(picks: list[int], place: int, other: int) -> None:
    _, moves = random_line(picks).record()
    spoilt = [*moves[: place % len(moves)], other, *moves[place % len(moves) + 1 :]]
    position, flaw = XIANGQI.start(), None
    for ply, move in enumerate(spoilt, 1):
        try:
            position = position.play(move)
        except IllegalMoveError as error:
            flaw = f"ply {ply}: {error}"
            break
    texts = [XIANGQI.moves.names[move] for move in spoilt]
    assert names(" ".join(texts)) == (flaw or " ".join(texts))


@pytest.mark.slow
def test_all_public_records() -> None:
    found = list(read_source(shared("xiangqi-games.pgn.xz"), XIANGQI))
    flaws = [item for item in found if isinstance(item, Skipped)]
    assert (len(found), len(flaws)) == (44_254, 22)
    assert all("is not legal in" in flaw.reason for flaw in flaws)
    assert sum(item.year > 0 for item in found if isinstance(item, Score)) > 33_000
