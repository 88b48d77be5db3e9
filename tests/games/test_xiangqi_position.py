"""Single positions of xiangqi: rules, ends of games, FENs, errors that help."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games import pyffish_oracle as oracle
from tests.games.hard_positions import Hard
from tests.games.hard_xiangqi import BY_NAME, HARD
from tests.games.xiangqi import XIANGQI, names, play, random_line
from tests.test_layout import modules_after
from zeroply.errors import IllegalMoveError, PositionError
from zeroply.games.base import stack
from zeroply.games.xiangqi.fens import Fields, read_fen

PICKS = st.lists(st.integers(0, 10**6), max_size=120)
BARE = "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1"


@pytest.mark.parametrize("case", HARD, ids=BY_NAME)
def test_hard_positions(case: Hard) -> None:
    found = names(XIANGQI.start(case.fen))
    assert found >= set(case.legal.split())
    assert not found & set(case.illegal.split())
    assert found == oracle.legal_names(case.fen)


@settings(max_examples=25)
@given(PICKS)
def test_legal_moves_of_random_games_are_those_of_fairy_stockfish(picks: list[int]) -> None:
    position = random_line(picks)
    legal = position.legal()
    assert list(legal) == sorted(legal)
    assert names(position) == oracle.legal_names(position.fen())


@settings(deadline=None)
@given(PICKS)
def test_a_position_survives_its_fen_and_its_row(picks: list[int]) -> None:
    position = random_line(picks)
    assert XIANGQI.start(position.fen()).fen() == position.fen()
    row = position.row(3)
    assert XIANGQI.restore(row).fen() == position.fen()
    assert XIANGQI.fens(stack([row, row])) == [position.fen()] * 2
    start, moves = position.record()
    replayed = XIANGQI.start(start)
    for move in moves:
        replayed = replayed.play(move)
    assert all(np.array_equal(row[name], column) for name, column in replayed.row(3).items())


def test_the_first_row() -> None:
    row = play("h2e2", "h9g7").row(3)
    assert [row[name].tolist() for name in ("turn", "halfmove", "repeats", "ply")] == [[0], [2], [0], [2]]
    assert row["past"].tolist() == [[-1, XIANGQI.moves.number("h2e2"), XIANGQI.moves.number("h9g7")]]
    assert row["board"][0, [0, 1, 2, 3, 4, 22, 27]].tolist() == [6, 4, 3, 2, 7, 5, 1]
    assert row["board"][0, [89, 70, 54]].tolist() == [-6, -5, -1]


def test_checkmate_loses() -> None:
    end = play("a7a9", fen="3k5/1R7/R8/9/9/9/9/9/9/4K4 w - - 0 1")
    assert (end.result(), end.reason(), end.in_check(), len(end.legal())) == (1.0, "checkmate", True, 0)


def test_stalemate_loses() -> None:
    end = play(fen="3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1")
    assert (end.result(), end.reason(), end.in_check()) == (1.0, "stalemate, which loses", False)


def test_sixty_moves_without_a_capture_are_a_draw() -> None:
    fen = "3k5/9/9/9/9/9/9/9/R8/4K4 w - - {} 80"
    assert play("a1a2", fen=fen.format(118)).result() is None
    end = play("a1a2", fen=fen.format(119))
    assert (end.result(), end.reason()) == (0.5, "sixty moves without a capture")


def test_mate_by_the_sixtieth_move_counts() -> None:
    assert play("a7a9", fen="3k5/1R7/R8/9/9/9/9/9/9/4K4 w - - 119 80").result() == 1.0


def test_advisors_and_elephants_cannot_mate() -> None:
    assert play(fen="3k1a3/9/9/9/9/9/9/B3B4/9/4K4 w - - 0 1").reason() == "neither side can mate"
    assert play(fen="3k1a3/9/9/9/9/9/9/B3B4/9/4K3C w - - 0 1").result() is None


@pytest.mark.parametrize(
    ("fen", "flaw"),
    [
        ("", "is not a xiangqi position"),
        ("hello", "it has 1 ranks, not 10"),
        ("3k5/9/9/9/9/9/9/9/9/4K3R w 119 80", "119 80 after the side to move, not two dashes"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "it has 8 ranks, not 10"),
        ("9/9/9/9/9/9/9/9/9/9 w - - 0 1", "no red general"),
        ("3k5/9/9/9/9/9/9/9/9/4K3 w - - 0 1", "'4K3' has 8 files, not 9"),
        ("3k5/9/9/9/4Q4/9/9/9/9/4K4 w - - 0 1", "what is 'Q' in '4Q4'"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 x - - 0 1", "w or b"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 wb - - 0 1", "w or b"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 2", "two numbers"),
        ("3k5/9/9/9/9/9/9/9/9/2K6 w - - 0 1", "a red general on c0"),
        ("3k5/9/9/9/9/9/9/9/3A5/4K4 w - - 0 1", "a red advisor on d1"),
        ("3k5/9/4B4/9/9/9/9/9/9/4K4 w - - 0 1", "a red elephant on e7"),
        ("3k5/9/9/9/9/1P7/9/9/9/4K4 w - - 0 1", "a red soldier on b4"),
        ("3k5/p8/9/9/9/9/9/9/9/4K4 w - - 0 1", "a black soldier on a8"),
        ("3k5/9/9/9/9/P8/P8/9/9/4K4 w - - 0 1", "two red soldiers on file a"),
        ("3k5/9/9/6p2/6p2/9/9/9/9/4K4 w - - 0 1", "two black soldiers on file g"),
        ("3k5/9/9/9/9/54/9/9/9/4K4 w - - 0 1", "'54' in '54' are two numbers of empty squares"),
        ("3k5/9/9/9/RRR6/9/9/9/9/4K4 w - - 0 1", "3 red chariots"),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "red is to move and could take the general"),
        ("3k5/9/9/9/9/9/9/9/9/r3K4 b - - 0 1", "black is to move and could take the general"),
    ],
)
def test_a_bad_fen_is_quoted_with_its_flaw(fen: str, flaw: str) -> None:
    with pytest.raises(PositionError) as caught:
        XIANGQI.start(fen)
    assert f"'{fen}'" in str(caught.value)
    assert flaw in str(caught.value)


def test_soldiers_across_the_river_may_share_a_file() -> None:
    fen = "3k5/9/9/9/P8/P8/9/9/9/4K4 w - - 0 1"
    assert XIANGQI.start(fen).fen() == fen


def test_other_letters_and_short_fens_are_read() -> None:
    first = XIANGQI.start().fen()
    assert XIANGQI.start("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r").fen() == first


def test_an_illegal_move_names_move_and_position() -> None:
    with pytest.raises(IllegalMoveError, match="a0a9 is not legal in rnbakabnr"):
        play("a0a9")
    with pytest.raises(IllegalMoveError, match="'h2x' is not a move"):
        play("h2x")
    with pytest.raises(IllegalMoveError, match="move number -1"):
        XIANGQI.start().play(-1)


def test_absurd_clocks_fit_into_a_row() -> None:
    row = XIANGQI.start("3k5/9/9/9/9/9/9/9/9/4K3R w - - 99999999 99999999").row(0)
    assert row["halfmove"][0] == 10_000


def test_single_positions_need_numpy_alone() -> None:
    code = "from zeroply.games import game_named; game_named('xiangqi').start().legal()"
    assert not modules_after(code) & {"numba", "torch", "chess", "pyarrow"}


def test_many_fens_are_each_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = list[str]()

    def counted(fen: str) -> Fields:
        parsed.append(fen)
        return read_fen(fen)

    first = XIANGQI.start().fen()
    monkeypatch.setattr("zeroply.games.xiangqi.position.read_fen", counted)
    rows, flaws = XIANGQI.examined([BARE, "nonsense"])
    assert (len(rows["turn"]), list(flaws)) == (1, [1])
    assert [fen for fen in parsed if fen != first] == [BARE, "nonsense"]
