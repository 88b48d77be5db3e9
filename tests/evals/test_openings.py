"""Start positions of a match."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from zeroply.errors import ReadError
from zeroply.evals.openings import random_openings, read_openings
from zeroply.games import Game, game_named

CHESS, XIANGQI = game_named("chess"), game_named("xiangqi")
LINES = """# three ways to write a position
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm e7e5; id "king's pawn";

rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1
rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq -
"""
FENS = {
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1",
}


def test_epd_and_fen_plain_and_packed(tmp_path: Path) -> None:
    plain, packed = tmp_path / "book.epd", tmp_path / "book.epd.xz"
    plain.write_text(LINES)
    packed.write_bytes(lzma.compress(LINES.encode()))
    assert set(read_openings(plain, CHESS, 10)) == FENS
    assert read_openings(packed, CHESS, 10) == read_openings(plain, CHESS, 10)


def test_the_seed_chooses(tmp_path: Path) -> None:
    book = tmp_path / "book.epd"
    book.write_text(LINES)
    assert read_openings(book, CHESS, 2, seed=1) == read_openings(book, CHESS, 2, seed=1)
    assert len({tuple(read_openings(book, CHESS, 1, seed=seed)) for seed in range(20)}) == 3


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("\n# nothing\n", "holds no positions"),
        ("\nnonsense\n", "line 2: 'nonsense"),
        (
            '[Event "x"]\n\n1. e4 *\n',
            "book.epd is a PGN of games, and openings are positions: give an EPD or FEN",
        ),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n", "line 1: the game is over in .*: stalemate"),
    ],
)
def test_bad_files_are_one_line(tmp_path: Path, text: str, wanted: str) -> None:
    book = tmp_path / "book.epd"
    book.write_text(text)
    with pytest.raises(ReadError, match=wanted) as caught:
        read_openings(book, CHESS, 5)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_a_read_error(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="no-book"):
        read_openings(tmp_path / "no-book.epd", CHESS, 5)


def test_positions_of_xiangqi_may_leave_fields_out(tmp_path: Path) -> None:
    board = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR"
    book = tmp_path / "book.fen"
    book.write_text(f'{board} b - - 1 1\n{board} b - - id "cannon";\n{board} b\n')
    assert sorted(read_openings(book, XIANGQI, 5)) == [
        f"{board} b",
        f"{board} b - - 0 1",
        f"{board} b - - 1 1",
    ]
    with pytest.raises(ReadError, match="is not a chess position"):
        read_openings(book, CHESS, 5)


@pytest.mark.parametrize("game", [CHESS, XIANGQI], ids=lambda game: game.name)
def test_random_openings_differ_and_repeat_with_their_seed(game: Game) -> None:
    found = random_openings(game, 40, seed=3)
    assert len(set(found)) == 40
    assert found == random_openings(game, 40, seed=3)
    assert set(found).isdisjoint(random_openings(game, 40, seed=4))
    assert all(game.start(fen).result() is None for fen in found)
    assert {game.start(fen).ply for fen in found} == {6}
