"""Corpora written as PGN, and read back: by our own reader and python-chess."""

from __future__ import annotations

from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.corpus.exports.back import assert_equal, rebuilt
from tests.sources import CHESS, SAMPLE, shared
from zeroply.corpus.build import build
from zeroply.corpus.exports import export
from zeroply.corpus.exports.comments import clock, pawns, score
from zeroply.corpus.readers.engine import _evaluation
from zeroply.corpus.readers.pgn import comments
from zeroply.corpus.score import MATE, NO_CLOCK, NO_EVALUATION
from zeroply.corpus.store import Corpus
from zeroply.corpus.tags import read_tags

ALL = ("results", "ratings", "years", "kinds", "splits")


def tags_of(corpus: Corpus) -> list[dict[str, str]]:
    table = read_tags(corpus.path / "tags.parquet").to_pylist()
    return [{name: value for name, value in row.items() if value is not None} for row in table]


def test_quotes_and_backslashes_of_tags_are_escaped(tmp_path: Path) -> None:
    rows = 'PuzzleId,FEN,Moves,Themes\na,4k3/8/8/8/8/8/4P3/4K3 w - - 0 1,e2e4 e8e7,"the ""Fox"" \\  end"\n'
    (tmp_path / "puzzles.csv").write_text(rows)
    export(rebuilt(tmp_path / "puzzles.csv", tmp_path / "corpus"), tmp_path / "games.pgn", "pgn")
    assert r'[Themes "the \"Fox\" \\  end"]' in (tmp_path / "games.pgn").read_text()


def test_pgn_comes_back(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zeroply.corpus.exports.blocks.GAMES", 40)
    export(corpus, tmp_path / "games.pgn", "pgn")
    again = rebuilt(tmp_path / "games.pgn", tmp_path / "again")
    assert_equal(again, corpus, (*ALL, "evaluations", "clocks"))
    assert tags_of(again) == tags_of(corpus)


OTHERS = {
    "engines.pgn": """[White "A"]
[WhiteElo "4013"]

1. e4 {book, mb=+0+0+0+0+0,} e5 {d=32, tl=1706868, wv=-0.21} 2. Nf3 {tl=00:37:47, wv=M7} Nc6 {wv=-M8} *

[White "half"]
[BlackType "program"]

1. d4 {+0.31/24 4.5s} d5 {-M8/30 1s} 2. c4 {-0.01/9 1s [%clk 12:00:59.9]} *
""",
    "puzzles.csv": "PuzzleId,FEN,Moves\n"
    "00008,r6k/pp2r2p/4Rp1Q/3p4/8/1N1P2R1/PqP2bPP/7K b - - 0 24,f2g3 e6e7 b2b1 b3c1 b1c1 h6c1\n",
    "evals.csv": "fen,line,depth,knodes,cp,mate\n4k3/8/8/8/8/8/4P3/4K3 b - -,e8d7,20,9,-31,\n"
    "4k3/8/8/8/8/8/4P3/4K3 w - -,e2e4,20,9,,-7\n",
}


def test_engines_puzzles_and_evaluated_positions_come_back_from_pgn(tmp_path: Path) -> None:
    for name, text in OTHERS.items():
        (tmp_path / name).write_text(text)
    arrays = tmp_path / "arrays"
    arrays.mkdir()
    np.save(arrays / "moves.npy", np.array([12 | 28 << 6], np.uint16))
    np.save(arrays / "offsets.npy", np.array([0, 1]))
    np.save(arrays / "games.npy", np.array([[2400, 0, 1, 1999]], np.uint16))
    np.save(arrays / "kinds.npy", np.array([2], np.uint8))
    assert build(tmp_path / "x", [*(tmp_path / name for name in OTHERS), arrays], CHESS)["games"] == 6
    corpus = Corpus.open(tmp_path / "x")
    assert corpus.evaluations.tolist().count(NO_EVALUATION) == 8
    assert corpus.clocks.tolist() == [NO_CLOCK, 17069, 22670, *3 * [NO_CLOCK], 432_599, *9 * [NO_CLOCK]]
    export(corpus, tmp_path / "games.pgn", "pgn")
    again = rebuilt(tmp_path / "games.pgn", tmp_path / "again")
    assert_equal(again, corpus, (*ALL, "evaluations", "clocks"))
    text = (tmp_path / "games.pgn").read_text()
    assert "1. e4 { [%eval -0.21] } 1... e5 { [%eval #4] [%clk 0:28:26.9] } 2. Nf3" in text
    assert "\n{ [%eval -0.31] } 1... Kd7 *\n" in text
    assert max(map(len, text.splitlines())) < 80


def test_no_evaluations_and_no_clocks_are_no_files_and_no_comments(tmp_path: Path) -> None:
    build(tmp_path / "x", [SAMPLE], CHESS)
    assert not {"clocks.npy", "evaluations.npy"} & {path.name for path in (tmp_path / "x").iterdir()}
    export(Corpus.open(tmp_path / "x"), tmp_path / "x.pgn", "pgn")
    assert "{" not in (tmp_path / "x.pgn").read_text()


def test_pgn_is_read_by_python_chess(corpus: Corpus, tmp_path: Path) -> None:
    export(corpus, tmp_path / "games.pgn", "pgn")
    names = CHESS.moves.names
    with (tmp_path / "games.pgn").open(encoding="utf-8") as file:
        for first, last in zip(corpus.offsets, corpus.offsets[1:], strict=False):
            game = chess.pgn.read_game(file)
            assert game is not None
            assert not game.errors
            assert [move.uci() for move in game.mainline_moves()] == [
                names[move] for move in corpus.moves[first:last]
            ]
        assert chess.pgn.read_game(file) is None
    text = (tmp_path / "games.pgn").read_text(encoding="utf-8")
    assert '[FEN "4k3/P7/8/8/8/8/8/R3K3 b Q - 3 40"]\n[SetUp "1"]\n\n40... Kd7 41. O-O-O+ Ke7' in text
    assert max(len(line) for line in text.splitlines() if not line.startswith("[")) < 80


def test_pgn_of_tables_and_arrays(tmp_path: Path) -> None:
    """Tags that PGN cannot name or that lie, values of two lines, and no tags at all."""
    (tmp_path / "games.csv").write_text(
        'game,ply,fen,move,score,result,FEN,"white player",Note\n'
        'a,0,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,e2e4,5,0.5,lie,Ann,"two\nlines"\n'
    )
    build(tmp_path / "csv", [tmp_path / "games.csv"], CHESS)
    told = export(Corpus.open(tmp_path / "csv"), tmp_path / "csv.pgn", "pgn")
    assert "PGN cannot name the tags white player: left out" in told
    assert (tmp_path / "csv.pgn").read_text() == (
        '[Result "1/2-1/2"]\n[BlackType "program"]\n[Note "two lines"]\n[WhiteType "program"]\n\n'
        "{ [%eval 0.05] } 1. e4 1/2-1/2\n\n"
    )
    arrays = tmp_path / "arrays"
    arrays.mkdir()
    np.save(arrays / "moves.npy", np.array([12 | 28 << 6], np.uint16))
    np.save(arrays / "offsets.npy", np.array([0, 1]))
    np.save(arrays / "games.npy", np.array([[2400, 0, 3, 1999]], np.uint16))
    build(tmp_path / "plain", [arrays], CHESS)
    export(Corpus.open(tmp_path / "plain"), tmp_path / "plain.pgn", "pgn")
    wanted = '[Date "1999.??.??"]\n[Result "*"]\n[WhiteElo "2400"]\n\n1. e4 *\n\n'
    assert (tmp_path / "plain.pgn").read_text() == wanted


@pytest.mark.slow
def test_real_games_come_back_from_pgn(tmp_path: Path) -> None:
    source = shared("twic-sample.pgn.xz")
    build(tmp_path / "corpus", [source], CHESS, where="Round = '1.1'")
    corpus = Corpus.open(tmp_path / "corpus")
    export(corpus, tmp_path / "games.pgn", "pgn")
    again = rebuilt(tmp_path / "games.pgn", tmp_path / "again")
    assert_equal(again, corpus, ("results", "ratings", "years", "kinds"))
    assert tags_of(again) == tags_of(corpus)


@given(st.integers(-MATE, MATE) | st.just(NO_EVALUATION))
def test_an_evaluation_comes_back_from_its_text(value: int) -> None:
    assert _evaluation(score(value)) == value
    if value != NO_EVALUATION:
        assert comments._value(pawns(value), plies=False) == value


@given(st.integers(0, 100_000 * 36_000 - 1))
def test_a_clock_comes_back_from_its_text(tenths: int) -> None:
    found = comments.clocks([f"[%clk {clock(tenths)}]", None], comments.CLOCKS)
    assert found == [tenths, NO_CLOCK]
