"""PGN to scores: by either parser, with the same games, moves, evaluations and reasons."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.corpus.readers.mangle import mangled
from tests.sources import CHESS, SAMPLE, shared
from zeroply.corpus.readers import pgn
from zeroply.corpus.readers.base import Reader
from zeroply.corpus.readers.pgn.lines import Line, Movetext, Parse
from zeroply.corpus.readers.pgn.moves import FastParser, parser
from zeroply.corpus.readers.pgn.slow import PythonChessParser
from zeroply.corpus.score import MATE, NO_CLOCK, NO_EVALUATION, Kind, Score, Skipped
from zeroply.errors import ReadError

FAST, SLOW = parser(CHESS), PythonChessParser(CHESS)
BOTH = pytest.mark.parametrize("parse", [FAST, SLOW], ids=["fast", "python-chess"])
NONE = NO_EVALUATION


def reader(parse: Parse) -> Reader:
    return Reader(pgn.READER.pieces, lambda piece, game: pgn.parse_with(parse, piece, game))


def read(tmp_path: Path, text: str, parse: Parse = FAST) -> list[Score | Skipped]:
    (tmp_path / "x.pgn").write_text(text, encoding="utf-8", newline="")
    return list(reader(parse).read(tmp_path / "x.pgn", CHESS))


def score(tmp_path: Path, text: str, parse: Parse = FAST) -> Score:
    (found,) = read(tmp_path, text, parse)
    assert isinstance(found, Score), found
    return found


def reason(tmp_path: Path, text: str, parse: Parse = FAST) -> str:
    (found,) = read(tmp_path, text, parse)
    assert isinstance(found, Skipped), found
    return found.reason


def names(found: Score) -> str:
    return " ".join(CHESS.moves.names[move] for move in found.moves)


def plain(item: Score | Skipped) -> object:
    """All of an item, comparable."""
    if isinstance(item, Skipped):
        return item
    told = list(item.evaluations), list(item.clocks)
    return list(item.moves), told, item.start, item.result, item.ratings, item.year, item.kind, item.tags


def assert_the_same(path: Path) -> tuple[int, int]:
    """Both parsers give the same; how many games and how many flaws there were."""
    fast, slow = (list(reader(parse).read(path, CHESS)) for parse in (FAST, SLOW))
    assert list(map(plain, fast)) == list(map(plain, slow))
    flaws = sum(isinstance(item, Skipped) for item in fast)
    return len(fast) - flaws, flaws


def test_the_fast_parser_is_installed() -> None:
    assert isinstance(FAST, FastParser)


def test_without_the_fast_parser_python_chess_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rust_pgn_reader_python_binding", None)
    assert isinstance(parser(CHESS), PythonChessParser)


def test_both_read_the_sample_alike() -> None:
    assert assert_the_same(SAMPLE) == (150, 0)


@pytest.mark.slow
def test_both_read_masters_games_alike() -> None:
    assert assert_the_same(shared("twic-sample.pgn.xz")) == (11_455, 3)


@pytest.mark.slow
def test_both_read_a_hundred_mangled_copies_alike(tmp_path: Path) -> None:
    text = "\n\n[Event ".join(SAMPLE.read_text(encoding="utf-8").split("\n\n[Event ")[:8])
    good = bad = 0
    for seed in range(100):
        (tmp_path / "x.pgn").write_text(mangled(text, seed), encoding="utf-8", newline="")
        counts = assert_the_same(tmp_path / "x.pgn")
        good, bad = good + counts[0], bad + counts[1]
    assert good > 200
    assert bad > 200


def recorded(moves: list[int]) -> list[str]:
    position, texts = CHESS.start(), list[str]()
    for move in moves:
        texts.append(position.recorded(move))
        position = position.play(move)
    return texts


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=80))
def test_random_games_come_back(picks: list[int]) -> None:
    position = CHESS.start()
    for pick in picks:
        legal = position.legal()
        if len(legal):
            position = position.play(int(legal[pick % len(legal)]))
    _, moves = position.record()
    text = Movetext(" ".join(recorded(moves)))
    for parse in (FAST, SLOW):
        (line,) = parse([text])
        assert isinstance(line, Line)
        assert line.moves.dtype == np.uint16
        assert line.moves.tolist() == moves


@BOTH
@pytest.mark.parametrize(
    ("movetext", "moves"),
    [
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O 0-0 *", "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8"),
        ("1.e4 e5 2.Nf3 Nc6 1-0", "e2e4 e7e5 g1f3 b8c6"),
        ("e2e4 e7-e5 Ng1-f3", "e2e4 e7e5 g1f3"),
        ("1. e4! (1. d4 d5 (1... f5)) e5?? $5 {good\n\nmove} 2. Nf3!? *", "e2e4 e7e5 g1f3"),
        ("1. e4\n\ne5\n\n2. Nf3", "e2e4 e7e5 g1f3"),
        ("1. e4 ; to the end e5 {\nd5", "e2e4 d7d5"),
        ("1. e4\n% escaped d5\ne5 [%clk 0:01] 2. Nf3", "e2e4 e7e5 g1f3"),
        ("1. e4 e5 2. xx Nf3, Nc6 = 3. é Bb5", "e2e4 e7e5 g1f3 b8c6 f1b5"),
        ("1. e4 d5 2. xd5 Qxd5", "e2e4 d7d5 e4d5 d8d5"),
        ("1. e4 {Sf3!} e5 ; then Lb5 or Dh5\n2. Nf3", "e2e4 e7e5 g1f3"),
        (
            "1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 e6 5. bxa8=N",
            "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 e7e6 b7a8n",
        ),
    ],
)
def test_moves_as_people_write_them(tmp_path: Path, parse: Parse, movetext: str, moves: str) -> None:
    assert names(score(tmp_path, f'[White "A"]\n\n{movetext}\n', parse)) == moves


@BOTH
@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        ("1. e4 e5 2. Ke3 *", "ply 3: illegal san: 'Ke3' in rnbqkbnr"),
        ("1. e4 -- 2. d4 *", "ply 2: 0000 is not in the move table"),
        ("1. e4 0000 2. d4 *", "ply 2: 0000 is not in the move table"),
        ("1. e4 e5 2. Nf3 Nf6 3. Ke2 Nc6 4. O-O", "ply 7: illegal san: 'O-O'"),
        ("1. e4 e5 2. Sf3 Sc6 3. d4 d6 1-0", "'Sf3' is no move: pieces are K, Q, R, B and N in PGN"),
        ("1. e4 e5 2. Cxe5 1-0", "'Cxe5' is no move"),
        ("1. e4 e5 2. \u041af3 1-0", "'\u041af3' is no move"),
        ("*", "it has no moves"),
        ("{nothing}", "it has no moves"),
        ("", "it has no moves"),
        ("( 1. d4 ) 1. e4 e5 *", "ply 2: illegal san: 'e4'"),
        ('[Variant "Atomic"]\n\n1. e4 *', "it is a game of Atomic"),
        ('[Variant "Chess960"]\n\n1. e4 *', "it is a game of Chess960"),
        ('[Variant "Xiangqi"]\n\n1. e4 *', "it is a game of xiangqi: read it with --game xiangqi"),
        ('[Game "Chinese Chess"]\n\n1. e4 *', "it is a game of xiangqi: read it with --game xiangqi"),
        (
            '[FEN "rkbnnqbr/pppppppp/8/8/8/8/PPPPPPPP/RKBNNQBR w HAha - 0 1"]\n\n1. c4 c5 2. O-O-O *',
            "ply 3: illegal",
        ),
        ('[FEN "8/P6k/8/8/8 w - - 0 1"]\n\n1. a8=Q *', "'8/P6k/8/8/8 w - - 0 1' is not a chess position"),
        ('[FEN "8/P6k/8/8/8/8/8/KK6 w - - 0 1"]\n\n1. a8=Q *', "cannot arise in chess: too many kings"),
        ('[FEN "4k3/8/8/8/8/413/8/4K3 w - - 0 1"]\n\n1. Kf1 *', "two subsequent digits"),
        ('[FEN "x" y"]\n\n1. a8=Q *', "is not a chess position"),
        (
            '[FEN "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"]\n\n1. h2e2 *',
            "is not a chess position",
        ),
    ],
)
def test_flaws_have_a_reason(tmp_path: Path, parse: Parse, text: str, flaw: str) -> None:
    assert flaw in reason(tmp_path, text if text.startswith("[") else f'[White "A"]\n\n{text}\n', parse)


def test_a_flaw_costs_one_game(tmp_path: Path) -> None:
    found = read(tmp_path, '[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n1. e5 *\n\n[White "C"]\n\n1. d4 *\n')
    assert [type(item) for item in found] == [Score, Skipped, Score]
    assert str(found[1]).startswith("x.pgn, game 2: ply 1: illegal san: 'e5'")


def test_tags_and_what_has_its_own_place(tmp_path: Path) -> None:
    tags = {"White": "Hübner", "WhiteElo": "2600", "BlackElo": "?", "UTCDate": "1984.01.02", "Result": "0-1"}
    text = "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + "\n1. e4 0-1\n"
    found = score(tmp_path, text)
    assert (found.ratings, found.year, found.result, found.kind) == ((2600, 0), 1984, 0.0, Kind.human)
    assert found.tags == {"White": "Hübner", "UTCDate": "1984.01.02"}


def test_a_result_without_a_tag_is_read_from_the_moves(tmp_path: Path) -> None:
    found = read(tmp_path, "1. e4 1/2-1/2\n\n1. d4 1-0\n\n1. c4")
    assert [item.result for item in found if isinstance(item, Score)] == [0.5, 1.0, None]


@BOTH
def test_lichess_evaluations_belong_to_the_next_position(tmp_path: Path, parse: Parse) -> None:
    text = (
        "1. e4 { [%eval 0.31] [%clk 0:03:00] } 1... c5 { [%eval -1.2,20] } "
        "2. Nf3 { [%eval #-3] } Nc6 { [%eval #2] } 3. d4 *"
    )
    found = score(tmp_path, text, parse)
    assert list(found.evaluations) == [NONE, -31, -120, MATE - 3, MATE - 2]
    assert found.kind == Kind.human


@BOTH
def test_an_evaluation_before_the_first_move_is_the_first_positions(tmp_path: Path, parse: Parse) -> None:
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    found = score(tmp_path, f'[FEN "{fen}"]\n\n{{ [%eval 0.2] }} 1... e5 {{ [%eval 0.3] }} 2. Nf3 *', parse)
    assert list(found.evaluations) == [-20, 30]
    assert list(score(tmp_path, "{ [%eval #-4] } 1. e4 *", parse).evaluations) == [-(MATE - 4)]
    assert list(score(tmp_path, "{ hi } 1. e4 { [%eval 1.0] } e5 *", parse).evaluations) == [NONE, -100]


@BOTH
def test_clocks_are_what_the_mover_has_left(tmp_path: Path, parse: Parse) -> None:
    text = (
        "1. e4 { [%clk 1:23:45.6] [%eval 0.31] } e5 {[%clk\n0:00:09.96]} 2. Nf3 {no clock} "
        "Nc6 { [%clk 335:59:59] } { late } 3. Bb5 { [%emt 0:00:07] } (3. d4 {[%clk 0:00:01]}) a6 *"
    )
    found = score(tmp_path, text, parse)
    assert list(found.clocks) == [50_256, 100, NO_CLOCK, 12_095_990, NO_CLOCK, NO_CLOCK]
    assert list(found.evaluations) == [NONE, -31, NONE, NONE, NONE, NONE]
    alone = score(tmp_path, "{ [%clk 9:00:00] } 1. e4 { [%clk 0:03:00] } e5 { [%clk 0:02:59] } *", parse)
    assert (list(alone.clocks), alone.evaluations, alone.kind) == ([1800, 1790], (), Kind.human)


@BOTH
def test_engines_clocks(tmp_path: Path, parse: Parse) -> None:
    found = score(
        tmp_path,
        "1. e4 {book, mb=+0+0+0+0+0,} e5 {d=32, mt=96132, tl=1706868, s=0, wv=0.21, } "
        "2. Nf3 {d=9, mt=00:01:01, tl=00:37:47, wv=0.45, } Nc6 {wv=0.77, mt=18, tl=0, tb=0} *",
        parse,
    )
    assert list(found.clocks) == [NO_CLOCK, 17_069, 22_670, NO_CLOCK]
    spent = score(
        tmp_path, "1. e4 {+0.31/24 4.5s} e5 {-0.25/20 1s [%clk 0:00:59]} 2. d4 {+1.00/9 9s} *", parse
    )
    assert (list(spent.clocks), list(spent.evaluations)) == ([NO_CLOCK, 590, NO_CLOCK], [31, -25, 100])
    assert score(tmp_path, "1. e4 {+0.31/24 4.5s} e5 {-0.25/20 1s} *", parse).clocks == ()


@BOTH
def test_tcec_evaluations_belong_to_the_movers_position(tmp_path: Path, parse: Parse) -> None:
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    text = (
        f'[FEN "{fen}"]\n\n1... e5 {{d=25, sd=31, wv=0.35, pv=Nf3}} 2. Nf3 {{book}} Nc6 {{wv=M12}} '
        "3. Bb5 {d=1, wv=-M7, tb=0} (3. d4 {wv=9.99}) a6 {wv=-1.00} *"
    )
    found = score(tmp_path, text, parse)
    assert list(found.evaluations) == [-35, NONE, -(MATE - 6), -(MATE - 4), 100]
    assert (found.kind, found.start) == (Kind.engine, fen)


@BOTH
def test_cutechess_evaluations_are_the_movers_view(tmp_path: Path, parse: Parse) -> None:
    text = "1. e4 {+0.31/24 4.5s} e5 {-0.25/20 1s} 2. Nf3 {book} Nc6 {-M8/30 1s} 3. Bb5 {+M7/9 0.1s, x} {y} *"
    found = score(tmp_path, text, parse)
    assert list(found.evaluations) == [31, -25, NONE, -(MATE - 4), MATE - 4]
    assert found.kind == Kind.engine


def test_huge_evaluations_stay_below_mates(tmp_path: Path) -> None:
    found = score(tmp_path, "1. e4 {+999.99/1 0s} e5 {-M5000/1 0s} *")
    assert list(found.evaluations) == [30_999, -31_000]


def test_comments_without_values_are_none_and_tags_tell_engines(tmp_path: Path) -> None:
    found = score(tmp_path, '[WhiteType "program"]\n\n1. e4 {[%clk 0:01:00] 0.5} e5 {a move/2} *')
    assert found.evaluations == ()
    assert list(found.clocks) == [600, NO_CLOCK]
    assert found.kind == Kind.engine


def test_a_puzzle_has_its_name(tmp_path: Path) -> None:
    assert score(tmp_path, '[PuzzleId "00008"]\n\n1. e4 *').kind == Kind.puzzle


def test_games_before_a_broken_place_are_read(tmp_path: Path) -> None:
    whole = gzip.compress(SAMPLE.read_bytes())
    (tmp_path / "x.pgn.gz").write_bytes(whole[: len(whole) // 2])
    found: list[Score | Skipped] = []
    with pytest.raises(ReadError, match=r"x\.pgn\.gz cannot be read to its end"):
        found.extend(pgn.READER.read(tmp_path / "x.pgn.gz", CHESS))
    assert 50 < len(found) < 100
    assert list(map(plain, found)) == list(map(plain, pgn.READER.read(SAMPLE, CHESS)))[: len(found)]


def test_a_number_without_end_is_a_reason() -> None:
    (found,) = SLOW([Movetext("1. e4 $" + "1" * 10_000)])
    assert isinstance(found, str)


def test_junk_gives_reasons_and_no_crash(tmp_path: Path) -> None:
    junk = np.random.default_rng(0).bytes(300_000)
    (tmp_path / "junk.pgn").write_bytes(junk)
    assert all(isinstance(item, Skipped) for item in pgn.READER.read(tmp_path / "junk.pgn", CHESS))
