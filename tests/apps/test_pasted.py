"""Games as people paste them."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import CHESS, SAMPLE, XIANGQI, XIANGQI_SAMPLE
from zeroply.apps.pasted import MOST_PLIES, Pasted, read_pasted
from zeroply.corpus.readers import read
from zeroply.corpus.score import Score
from zeroply.errors import ZeroplyError
from zeroply.games import Game
from zeroply.games.record import written

LICHESS = """[Event "Rated blitz game"]
[Site "https://lichess.org/abcdefgh"]
[White "Anna \\"A\\" Muzychuk"]
[Black "Ju"]
[Result "0-1"]
[Variant "Standard"]

1. e4 { [%eval 0.18] [%clk 0:03:00] } 1... c5?! { [%eval 0.3] }
2. Nf3 (2. Nc3 Nc6 (2... d6)) 2... d6 $1 ; a remark (
3. d4 cxd4

4. Nxd4 Nf6 0-1
"""


def names(game: Game, pasted: Pasted) -> str:
    return " ".join(game.moves.names[move] for _, move in pasted.plies)


def test_a_pgn_with_all_that_sites_write() -> None:
    for text in (LICHESS, "\ufeff" + LICHESS.replace("\n", "\r\n")):
        found = read_pasted(CHESS, text)
        assert names(CHESS, found) == "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6"
        assert found.names == ('Anna "A" Muzychuk', "Ju")
        assert found.result == "0-1"
        assert found.last.fen().startswith("rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w")


@pytest.mark.parametrize(
    "text",
    [
        "e4 e5 Nf3",
        "1. e4 e5 2. Nf3",
        "1.e4 e5 2.Nf3 *",
        "e2e4 e7e5 g1f3",
        "startpos moves e2e4 e7e5 g1f3",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 e7e5 g1f3",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n1. e4 e5 2. Nf3",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - e4 e5 Nf3",
    ],
)
def test_lists_of_moves(text: str) -> None:
    found = read_pasted(CHESS, text)
    assert names(CHESS, found) == "e2e4 e7e5 g1f3"
    assert (found.names, found.result) == (None, None)


@pytest.mark.parametrize(
    "text",
    [
        "1. H2-E2 H9-G7",
        "1. h2e2 h9g7",
        "C2.5 H8+7",
        "炮二平五 马8进7",
        '[Game "Chinese Chess"]\n[Red "Hu"]\n[Black "?"]\n\n1. 炮二平五 马８进７ *',
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w moves h2e2 h9g7",
    ],
)
def test_lists_of_xiangqi_moves(text: str) -> None:
    assert names(XIANGQI, read_pasted(XIANGQI, text)) == "h2e2 h9g7"


def test_a_position_alone_is_a_game_that_begins() -> None:
    fen = "7k/8/8/8/8/8/R7/1R5K w - - 0 1"
    for text in (fen, f'[FEN "{fen}"]\n[SetUp "1"]\n\n*'):
        found = read_pasted(CHESS, text)
        assert (found.start.fen(), found.last.fen(), found.plies) == (fen, fen, [])


def test_the_rules_tell_a_result_that_the_text_does_not() -> None:
    assert read_pasted(CHESS, "f3 e5 g4 Qh4#").result == "0-1"
    assert read_pasted(CHESS, "f3 e5 g4 Qh4# 1-0").result == "1-0"


@pytest.mark.parametrize(
    ("game", "text", "hint"),
    [
        (CHESS, "  \n ", "nothing to read"),
        (CHESS, "1. e4 e5 2. Nf9", "ply 3: 'Nf9' is not legal in rnbqkbnr"),
        (CHESS, "1. e4 Sf6", "ply 2: 'Sf6' is not legal"),
        (CHESS, "hello there", "ply 1: 'hello' is not legal"),
        (CHESS, "e4 (e5", "a variation is not closed"),
        (CHESS, "e4 {e5", "a comment is not closed"),
        (CHESS, "e4) e5", "closed that was never opened"),
        (CHESS, "e4 1-0 e5", "moves after the result"),
        (CHESS, LICHESS + "\n" + LICHESS, "more than one game"),
        (CHESS, "1. e4 e5\n\n1. d4 d5", "more than one game"),
        (CHESS, "1. e4 e5 1-0\n\n1.d4 d5 0-1", "more than one game"),
        (XIANGQI, "1. C2.5 H8+7\n1. P7+1 P7+1", "more than one game"),
        (CHESS, "https://lichess.org/abcdefgh", "a link cannot be followed from here. Paste the game itself"),
        (XIANGQI, "lichess.org/abcdefgh/black#12", "a link cannot be followed"),
        (
            CHESS,
            '[Variant "Atomic"]\n\n1. e4',
            "a game of Atomic, not of chess. Only chess and xiangqi are known",
        ),
        (CHESS, '[Variant "Xiangqi"]\n\n1. H2-E2', "a game of xiangqi, not of chess. Choose a model"),
        (CHESS, "8/8/8 w - - 0 1", "not a chess position"),
        (CHESS, " ".join(["Nf3 Nf6 Ng1 Ng8"] * 251), f"more than {MOST_PLIES:,} plies"),
        (XIANGQI, "1. H2-E2 H2-E2", "ply 2: 'H2-E2' is not legal"),
        (XIANGQI, "C2.5 H8+9 X", "ply 3: 'X' is not a legal move"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(game: Game, text: str, hint: str) -> None:
    with pytest.raises(ZeroplyError, match=hint) as error:
        read_pasted(game, text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text", ["1. e4 1... e5 2. Nf3", "1. e4 (1. d4 d5) e5 {1. c4} 2. Nf3", "1. e4 1. e5 2. Nf3"]
)
def test_numbers_that_come_again_within_a_game(text: str) -> None:
    assert names(CHESS, read_pasted(CHESS, text)) == "e2e4 e7e5 g1f3"


@pytest.mark.parametrize("game", [CHESS, XIANGQI])
@pytest.mark.parametrize(
    "text",
    [
        "x" * 50_000,
        "x/" * 25_000,
        "'" * 50_000,
        f'[FEN "{"x" * 50_000}"]\n\n*',
        f'[Variant "{"x" * 50_000}"]\n\n*',
        "/".join(["1" * 5000] * 10),
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w " + "x" * 50_000,
        f'[FEN "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w {"x" * 50_000} - 0 1"]\n\n*',
    ],
)
def test_of_a_long_text_an_error_repeats_the_beginning(game: Game, text: str) -> None:
    with pytest.raises(ZeroplyError) as error:
        read_pasted(game, text)
    assert len(str(error.value)) < 500


@pytest.mark.parametrize(("game", "path"), [(CHESS, SAMPLE), (XIANGQI, XIANGQI_SAMPLE)], ids=["chess", "xq"])
def test_what_readers_read_is_read_alike(game: Game, path: Path) -> None:
    for score in islice(read(path, game), 3):
        assert isinstance(score, Score)
        position, texts = game.start(score.start), list[str]()
        for move in score.moves:
            texts.append(position.recorded(int(move)))
            position = position.play(int(move))
        record = written(game, {"Result": "*"}, game.start(score.start), texts)
        assert [move for _, move in read_pasted(game, record).plies] == [int(move) for move in score.moves]


@given(st.text(max_size=300) | st.text(alphabet='[]{}();\n"\\ e4Nf3/.18wKQkq-', max_size=300))
def test_no_text_is_more_than_a_refusal(text: str) -> None:
    for game in (CHESS, XIANGQI):
        try:
            read_pasted(game, text)
        except ZeroplyError as error:
            assert "\n" not in str(error)  # noqa: PT017
