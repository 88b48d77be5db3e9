"""Single positions: rules, ends of games, errors that help."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import CHESS
from zeroply.errors import IllegalMoveError, PositionError
from zeroply.games import Position


def play(*names: str, fen: str | None = None) -> Position:
    position: Position = CHESS.start(fen)
    for name in names:
        position = position.play(CHESS.moves.number(name))
    return position


def test_fools_mate_is_lost_for_white() -> None:
    end = play("f2f3", "e7e5", "g2g4", "d8h4")
    assert (end.result(), end.reason(), len(end.legal())) == (0.0, "checkmate", 0)


def test_stalemate_is_a_draw() -> None:
    end = play("c7c6", fen="k7/2Q5/1K6/8/8/8/8/8 w - - 0 1")
    assert end.result() is None
    assert play(fen="k7/8/1Q6/8/8/8/8/K7 b - - 0 1").reason() == "stalemate"


def test_third_occurrence_is_a_draw_but_play_may_go_on() -> None:
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"]
    assert play(*shuffle).result() is None
    third = play(*shuffle, *shuffle)
    assert (third.result(), third.reason()) == (0.5, "the position occurred three times")
    assert len(third.legal()) == 20


def test_fifty_moves_are_a_draw() -> None:
    assert (
        play("a1a2", fen="7k/8/8/8/8/8/8/R6K w - - 99 80").reason()
        == "fifty moves without a capture or a pawn move"
    )


@pytest.mark.parametrize(
    "fen", ["", "hello", "8/8/8/8/8/8/8/8 w - - 0 1", "rnbqkbnr/8/8/8/8/8/8/8 w - - 0 1"]
)
def test_a_bad_fen_is_quoted(fen: str) -> None:
    with pytest.raises(PositionError, match="chess"):
        CHESS.start(fen)


def test_an_illegal_move_names_move_and_position() -> None:
    with pytest.raises(IllegalMoveError, match="e2e5 is not legal in rnbqkbnr"):
        play("e2e5")
    with pytest.raises(IllegalMoveError, match="'e2x' is not a move"):
        play("e2x")


def test_absurd_clocks_fit_into_a_row() -> None:
    row = CHESS.start("4k3/8/8/8/8/8/8/4K2R w K - 99999999 99999999").row(0)
    assert row["halfmove"][0] == 10_000


@given(st.lists(st.integers(0, 10**6), max_size=80))
def test_legal_moves_of_random_games_are_ascending_and_playable(picks: list[int]) -> None:
    position: Position = CHESS.start()
    for pick in picks:
        legal = position.legal()
        if not len(legal):
            break
        assert list(legal) == sorted(legal)
        position = position.play(int(legal[pick % len(legal)]))
    assert CHESS.start(position.fen()).fen() == position.fen()
