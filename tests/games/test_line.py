"""Moves written one after the other, and moves as people write them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroply.errors import IllegalMoveError
from zeroply.games import Game, Position, game_named
from zeroply.games.line import follow

CHESS, XIANGQI = game_named("chess"), game_named("xiangqi")


def by_name(_: Position, text: str) -> int:
    return CHESS.moves.number(text)


def test_moves_lead_where_they_lead() -> None:
    position = follow(CHESS.start(), ["e2e4", "e7e5"], by_name)
    assert position.fen() == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    assert follow(CHESS.start(), [], by_name).ply == 0
    assert follow(CHESS.start(), ["e4", "e5"]).fen() == position.fen()


def test_the_wrong_move_is_named_with_its_ply_as_it_was_written() -> None:
    for text, wanted in (
        ("e1e3", "ply 3: 'e1e3' is not legal in .* 0 2"),
        ("Nf3", "ply 3: 'Nf3' is not a move"),
    ):
        with pytest.raises(IllegalMoveError, match=wanted):
            follow(CHESS.start(), ["e2e4", "e7e5", text], by_name)
    with pytest.raises(IllegalMoveError, match=r"ply 8: 'h4h9' is not legal in "):
        follow(XIANGQI.start(), ["h3e3", "h4h9"], lambda _, text: XIANGQI.from_uci(text), before=6)
    with pytest.raises(IllegalMoveError, match=r"ply 2: 'h8e8' is not legal in .* Squares are a0 to i9"):
        follow(XIANGQI.start(), ["h2e2", "h8e8"])


@given(st.sampled_from([CHESS, XIANGQI]), st.lists(st.integers(0, 10**6), max_size=60))
def test_a_move_is_read_in_every_notation_that_writes_it(game: Game, choices: list[int]) -> None:
    position: Position = game.start()
    for choice in choices:
        if position.result() is not None:
            break
        move = int(position.legal()[choice % len(position.legal())])
        for text in (game.moves.names[move], position.notation(move), position.recorded(move)):
            assert position.number(text) == move
            assert position.number(f" {text} ") == move
        position = position.play(move)


@pytest.mark.parametrize(
    ("fen", "text", "name"),
    [
        (None, "nf3", "g1f3"),
        (None, "E2-E4", "e2e4"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "o-o-o", "e1c1"),
        ("7k/4P3/8/8/8/8/8/K7 w - - 0 1", "e8=q", "e7e8q"),
        ("7k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7e8=N", "e7e8n"),
        # A pawn on b before a bishop.
        ("7k/8/8/8/2p5/1P6/4B3/K7 w - - 0 1", "bxc4", "b3c4"),
        ("7k/8/8/8/2p5/1P6/4B3/K7 w - - 0 1", "Bxc4", "e2c4"),
        ("7k/8/8/8/2p5/8/4B3/K7 w - - 0 1", "bxc4", "e2c4"),
    ],
)
def test_chess_as_people_type_it(fen: str | None, text: str, name: str) -> None:
    assert CHESS.moves.names[CHESS.start(fen).number(text)] == name


@pytest.mark.parametrize("text", ["h2e2", "H2E2", "H2-E2", "h2-e2", "C2.5", "c2=5", "炮二平五"])
def test_xiangqi_as_people_type_it(text: str) -> None:
    assert XIANGQI.moves.names[XIANGQI.start().number(text)] == "h2e2"


@pytest.mark.parametrize(
    ("game", "text"),
    [(CHESS, text) for text in ("", "e9", "Nd4", "0000", "--", "e2e5", "e7e5", "Z0", "\0", "🙂")]
    + [(XIANGQI, text) for text in ("", "h3e3x", "h10e10", "C2.9.9", "a0a9", "炮", "🙂")],
    ids=lambda value: repr(getattr(value, "name", value)),  # a game's own repr is not the same twice
)
def test_what_is_no_move_is_one_line(game: Game, text: str) -> None:
    with pytest.raises(IllegalMoveError, match="is not") as caught:
        game.start().number(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("game", "texts", "advice"),
    [
        (CHESS, ("e5", "e1e5", "E1-E5", "nf6", "O-O", "0-0-0", "exd5", "e8=Q"), "Write it so"),
        (XIANGQI, ("a0a9", "A0-A9", "C2.8", "c9=5", "炮二平八", "帥五进九"), "Squares|Write"),
    ],
)
def test_spelling_is_no_advice_for_what_is_spelt_well(
    game: Game, texts: tuple[str, ...], advice: str
) -> None:
    for text in texts:
        with pytest.raises(IllegalMoveError) as caught:
            game.start().number(text)
        assert not re.search(advice, str(caught.value)), text
    for text in {CHESS: ("Zz9", "e9", "Sf6"), XIANGQI: ("Nf3", "h10h9", "h3e3")}[game]:
        with pytest.raises(IllegalMoveError, match=advice):
            game.start().number(text)


def test_in_xiangqi_a_move_of_either_of_two_on_a_file_says_how_to_write_it() -> None:
    two = XIANGQI.start("3k5/9/9/9/4R4/9/9/4R4/9/5K3 w - - 0 1")
    for text in ("R5.1", "车五平一", "俥五平一"):
        with pytest.raises(
            IllegalMoveError, match=r"does not say which piece .*\. Write R[+-]\.1 or R[+-]\.1$"
        ):
            two.number(text)


def test_a_move_that_could_be_two_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match="'Rd1' could be more than one move"):
        CHESS.start("6k1/8/8/8/8/8/K7/R6R w - - 0 1").number("Rd1")


@pytest.mark.parametrize("text", ["a8", "a7a8", "axb8", "a7b8"])
def test_a_promotion_without_its_piece_names_the_pieces(text: str) -> None:
    position = CHESS.start("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    with pytest.raises(IllegalMoveError, match=f"pawn becomes. Write one of: {text}q, {text}r, ") as caught:
        position.number(text)
    for written in str(caught.value).rpartition(": ")[2].split(", "):
        assert position.number(written) in position.legal()


def test_corners_tell_how_squares_are_counted() -> None:
    assert CHESS.moves.corners == ("a1", "h8")
    assert XIANGQI.moves.corners == ("a0", "i9")
