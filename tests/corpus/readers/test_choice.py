"""Which reader a source gets."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import pytest

from tests.sources import CHESS
from zeroply.corpus.readers import read
from zeroply.corpus.score import Kind, Score, Skipped
from zeroply.errors import ReadError

PUZZLES = """PuzzleId,FEN,Moves,Rating,Themes
00008,r6k/pp2r2p/4Rp1Q/3p4/8/1N1P2R1/PqP2bPP/7K b - - 0 24,f2g3 e6e7 b2b1 b3c1,1853,crushing
x,4k3/8/8/8/8/8/8/4K3 w - - 0 1,e1e9 e8e7
y,4k3/8/8/8/8/8/8/4K3 w - - 0 1,e1e2
z,4k3/8/8/8/8/8/8/4K3 w - - 0 1,e1e2 e8e6
r,4k3/8/8/8/8/8/8/4K3 w - - 0 1,e1e2 e8e7 1-0 e2e3
w,4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1,e1e2 e8e7
n,8/8/8/8/8/8/8/4K3 w - - 0 1,e1e2 e8e7
"""


def test_puzzles_by_their_header(tmp_path: Path) -> None:
    (tmp_path / "some.csv").write_text(PUZZLES)
    puzzle, unknown, short, *others = read(tmp_path / "some.csv", CHESS)
    assert isinstance(puzzle, Score)
    assert [CHESS.moves.names[move] for move in puzzle.moves] == ["f2g3", "e6e7", "b2b1", "b3c1"]
    assert (puzzle.kind, puzzle.tags) == (
        Kind.puzzle,
        {"PuzzleId": "00008", "Rating": "1853", "Themes": "crushing"},
    )
    assert unknown == Skipped("some.csv", 2, "'e1e9' is no move")
    assert short == Skipped("some.csv", 3, "it has no solution")
    reasons = [item.reason for item in others if isinstance(item, Skipped)]
    wanted = (
        "ply 2: e8e6 is not legal in 4k3/8/8/8/8/8/4K3/8 b - - 1 1",
        "'1-0' is no move",
        "is not a chess position",
        "cannot arise in chess",
    )
    for reason, part in zip(reasons, wanted, strict=True):
        assert part in reason


def test_a_king_that_takes_his_own_rook_does_not_castle(tmp_path: Path) -> None:
    rows = [
        "PuzzleId,FEN,Moves",
        "a,k7/8/8/8/8/8/4R3/4K2R w K - 0 1,e1e2 a8b8",
        "b,k7/8/8/8/8/8/4R3/4K2R w K - 0 1,e1h1 a8b8",
        "c,k7/8/8/8/8/8/4R3/4K2R w K - 0 1,e1g1 a8b8",
    ]
    (tmp_path / "some.csv").write_text("\n".join(rows))
    onto, chess960, castling = read(tmp_path / "some.csv", CHESS)
    for item, move in ((onto, "e1e2"), (chess960, "e1h1")):
        assert isinstance(item, Skipped)
        assert item.reason == f"ply 1: {move} is not legal in k7/8/8/8/8/8/4R3/4K2R w K - 0 1"
    assert isinstance(castling, Score)
    assert [CHESS.moves.names[move] for move in castling.moves] == ["e1g1", "a8b8"]


@pytest.mark.parametrize("numba", [True, False], ids=["in step", "one by one"])
def test_reasons_are_the_same_without_numba(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, numba: bool
) -> None:
    if not numba:
        for module in ("zeroply.games.chess.legality", "zeroply.games.chess.kernel"):
            monkeypatch.delitem(sys.modules, module, raising=False)
        monkeypatch.setitem(sys.modules, "numba", None)
    (tmp_path / "some.csv").write_text(PUZZLES)
    found = list(read(tmp_path / "some.csv", CHESS))
    assert [isinstance(item, Score) for item in found] == [True, *6 * [False]]
    assert found[3] == Skipped("some.csv", 4, "ply 2: e8e6 is not legal in 4k3/8/8/8/8/8/4K3/8 b - - 1 1")


def test_names_in_capitals_are_read(tmp_path: Path) -> None:
    (tmp_path / "A.CSV").write_text(PUZZLES)
    (tmp_path / "B.PGN").write_text("1. e4 e5 *\n")
    (tmp_path / "C.Pgn.GZ").write_bytes(gzip.compress(b"1. d4 d5 *\n"))
    for name in ("A.CSV", "B.PGN", "C.Pgn.GZ"):
        first, *_ = read(tmp_path / name, CHESS)
        assert isinstance(first, Score), name


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_an_empty_table_is_called_empty(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(ReadError, match=r"x\.csv is empty, or its first line is\. .*PuzzleId, FEN, Moves"):
        read(tmp_path / "x.csv", CHESS)


def test_a_table_without_an_end_of_its_header_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text('"' + 200_000 * "a")
    with pytest.raises(ReadError, match=r"x\.csv has no line of column names"):
        read(tmp_path / "x.csv", CHESS)


@pytest.mark.parametrize("name", ["games.txt", "games.parquet", "games", "pgn", "x.json"])
def test_an_unknown_kind_is_told_what_is_readable(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("1. e4")
    with pytest.raises(ReadError) as caught:
        read(tmp_path / name, CHESS)
    message = str(caught.value)
    assert "\n" not in message
    for known in (name, ".pgn", ".jsonl", ".csv", ".txt", ".gz .bz2 .xz .zst", "moves.npy"):
        assert known in message


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"none\.pgn does not exist"):
        read(tmp_path / "none.pgn", CHESS)
