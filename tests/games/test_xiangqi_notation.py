"""The ways to write xiangqi moves. An error of one rank is often a legal move, so texts are spelt out."""

import pyffish
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.xiangqi import XIANGQI, names, play, random_line
from zeroply.errors import IllegalMoveError
from zeroply.games.xiangqi.fens import read_fen
from zeroply.games.xiangqi.notation import chinese, from_text, to_iccs, wxf
from zeroply.games.xiangqi.rules import Board, Step, legal_moves

PICKS = st.lists(st.integers(0, 10**6), max_size=120)
TANDEM = "4k4/9/3P5/3P1P3/3P1P3/9/9/9/9/3K5 w - - 0 1"
FIVE = "3P1k3/3P5/3P5/3P5/3P5/9/9/9/9/4K4 w - - 0 1"
SMALL = "4k1b2/4a4/9/p8/2P3b2/2B3p2/8P/3A5/9/2BA1K3 w - - 0 1"
BLACKS = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1"
PAIRS = "4k4/9/9/9/9/3R5/9/3R2N2/4A1N2/3AK1B2 w - - 0 1"


def step(name: str) -> Step:
    number = XIANGQI.moves.number(name)
    return int(XIANGQI.moves.start[number]), int(XIANGQI.moves.end[number])


def board(fen: str) -> Board:
    return read_fen(fen).board


@pytest.mark.parametrize(
    ("name", "uci", "iccs"),
    [
        ("h2e2", "h3e3", "H2-E2"),
        ("a0a1", "a1a2", "A0-A1"),
        ("i8i9", "i9i10", "I8-I9"),
        ("e9e8", "e10e9", "E9-E8"),
    ],
)
def test_ranks_count_from_0_or_from_1(name: str, uci: str, iccs: str) -> None:
    move = XIANGQI.moves.number(name)
    assert (XIANGQI.uci(move), to_iccs(name)) == (uci, iccs)
    assert XIANGQI.from_uci(uci) == move


def test_every_move_survives_uci() -> None:
    for move in range(len(XIANGQI.moves)):
        assert XIANGQI.from_uci(XIANGQI.uci(move)) == move


@pytest.mark.parametrize("text", ["h0e0", "h11e11", "h3", "H3E3", "j1j2", "h3e3q", "a1b5", "e1e1", ""])
def test_what_is_no_uci_move_is_quoted(text: str) -> None:
    """As it was written, also where no piece ever goes so, and with UCI's ranks."""
    with pytest.raises(IllegalMoveError, match=f"'{text}' is not a move.* a1 to i10"):
        XIANGQI.from_uci(text)


def test_uci_is_what_fairy_stockfish_writes() -> None:
    position = play("h2e2", "h9g7")
    expected = set(pyffish.legal_moves("xiangqi", position.fen(), []))
    assert {XIANGQI.uci(int(move)) for move in position.legal()} == expected


@pytest.mark.parametrize(
    ("name", "in_wxf", "in_chinese"),
    [
        ("h2e2", "C2.5", "炮二平五"),
        ("b0c2", "H8+7", "马八进七"),
        ("a0a2", "R9+2", "车九进二"),
        ("c0e2", "E7+5", "相七进五"),
        ("d0e1", "A6+5", "仕六进五"),
        ("i3i4", "P1+1", "兵一进一"),
        ("e0e1", "K5+1", "帅五进一"),
    ],
)
def test_red_writes(name: str, in_wxf: str, in_chinese: str) -> None:
    first = XIANGQI.start()
    assert first.notation(XIANGQI.moves.number(name)) == in_wxf
    assert chinese(board(first.fen()), step(name)) == in_chinese


@pytest.mark.parametrize(
    ("name", "in_wxf", "in_chinese"),
    [
        ("h9g7", "H8+7", "马8进7"),
        ("b7e7", "C2.5", "炮2平5"),
        ("i9i7", "R9+2", "车9进2"),
        ("e9e8", "K5+1", "将5进1"),
        ("a6a5", "P1+1", "卒1进1"),
    ],
)
def test_black_counts_files_from_the_other_side(name: str, in_wxf: str, in_chinese: str) -> None:
    position = play("h2e2")
    assert position.notation(XIANGQI.moves.number(name)) == in_wxf
    assert chinese(board(position.fen()), step(name)) == in_chinese


@pytest.mark.parametrize(
    ("fen", "name", "in_wxf", "in_chinese"),
    [
        (PAIRS, "d4e4", "R+.5", "前车平五"),
        (PAIRS, "d2d1", "R--1", "后车退一"),
        (PAIRS, "g1e2", "H-+5", "后马进五"),
        (TANDEM, "d7e7", "6+.5", "前六平五"),
        (TANDEM, "d6e6", "66.5", "中六平五"),
        (TANDEM, "d5e5", "6-.5", "后六平五"),
        (TANDEM, "f6f7", "4++1", "前四进一"),
        (FIVE, "d9e9", "++.5", "前兵平五"),
        (FIVE, "d8e8", "P+.5", "二兵平五"),
        (FIVE, "d7e7", "P6.5", "三兵平五"),
        (FIVE, "d6e6", "P-.5", "四兵平五"),
        (FIVE, "d5e5", "--.5", "后兵平五"),
    ],
)
def test_pieces_on_one_file_are_told_apart(fen: str, name: str, in_wxf: str, in_chinese: str) -> None:
    assert (wxf(board(fen), step(name)), chinese(board(fen), step(name))) == (in_wxf, in_chinese)


@pytest.mark.parametrize(
    ("name", "in_wxf"),
    [
        ("i3i4", "P1+1"),
        ("c5b5", "P7.8"),
        ("c5d5", "P7.6"),
        ("d0e1", "A6+5"),
        ("d2e1", "A6-5"),
        ("c0e2", "E7+5"),
        ("c0a2", "E7+9"),
        ("c4e2", "E7-5"),
        ("c4a2", "E7-9"),
        ("a6a5", "P1+1"),
        ("g4f4", "P7.6"),
        ("g4h4", "P7.8"),
        ("g4g3", "P7+1"),
        ("e8d7", "A5+4"),
        ("e8f9", "A5-6"),
        ("e8f7", "A5+6"),
        ("g9e7", "E7+5"),
        ("g9i7", "E7+9"),
        ("g5e7", "E7-5"),
        ("g5i7", "E7-9"),
    ],
)
def test_soldiers_advisors_and_elephants(name: str, in_wxf: str) -> None:
    """Written down by hand: Fairy-Stockfish writes these kinds otherwise."""
    here = board(SMALL)
    assert wxf(here, step(name)) == in_wxf
    assert from_text(here, legal_moves(here, int(here[step(name)[0]] < 0)), in_wxf) == step(name)


@settings(max_examples=20)
@given(PICKS)
def test_legal_moves_are_written_differently_and_read_back(picks: list[int]) -> None:
    fields = read_fen(random_line(picks).fen())
    steps = legal_moves(fields.board, fields.turn)
    for write in (wxf, chinese):
        texts = [write(fields.board, one) for one in steps]
        assert [from_text(fields.board, steps, text) for text in texts] == steps


@pytest.mark.slow
@settings(max_examples=10)
@given(PICKS)
def test_wxf_is_what_fairy_stockfish_writes_but_for_soldiers_in_line(picks: list[int]) -> None:
    position = random_line(picks)
    for name in names(position):
        move = XIANGQI.moves.number(name)
        expected = pyffish.get_san(
            "xiangqi", position.fen(), XIANGQI.uci(move), False, pyffish.NOTATION_XIANGQI_WXF
        )
        written = position.notation(move)
        # It tells two of a file apart only where both could make the move; WXF always does.
        plainer = written[1] in "+-" and expected[1].isdigit()
        if expected[0].isalpha() and expected[0] not in "PAE" and not plainer:
            assert written == expected.replace("=", ".")


def test_other_spellings_of_wxf_are_read() -> None:
    start = board(XIANGQI.start().fen())
    steps = legal_moves(start, 0)
    for text in ("C2=5", "c2.5", "炮二平五"):
        assert from_text(start, steps, text) == step("h2e2")
    assert from_text(start, steps, "N8+7") == step("b0c2")
    with pytest.raises(IllegalMoveError, match=r"'C2\.8' is not a legal move here"):
        from_text(start, steps, "C2.8")


@pytest.mark.parametrize(
    ("fen", "text", "name"),
    [
        (None, "砲二平五", "h2e2"),
        (None, "傌二进三", "h0g2"),
        (None, "俥九進一", "a0a1"),
        (None, "帥五進一", "e0e1"),
        (None, "Ｃ２．５", "h2e2"),
        (BLACKS, "马８进７", "h9g7"),
        (BLACKS, "馬8進7", "h9g7"),
        (BLACKS, "炮２平５", "b7e7"),
        (BLACKS, "車１進１", "a9a8"),
        (BLACKS, "將5進1", "e9e8"),
        (PAIRS, "後車退一", "d2d1"),
        (None, "士六进五", "d0e1"),
        (None, "象七进五", "c0e2"),
        (BLACKS, "仕4进5", "d9e8"),
        (BLACKS, "相3進5", "c9e7"),
        (BLACKS, "兵3进1", "c6c5"),
    ],
)
def test_other_characters_are_read(fen: str | None, text: str, name: str) -> None:
    fields = read_fen(fen or XIANGQI.start().fen())
    assert from_text(fields.board, legal_moves(fields.board, fields.turn), text) == step(name)
