"""Corpora written for other programs, and read back: by our own readers, python-chess and pyarrow."""

from __future__ import annotations

from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.corpus.exports.back import assert_equal, games_in, rebuilt
from tests.sources import CHESS
from zeroply.corpus.build import build
from zeroply.corpus.exports import FORMATS, export
from zeroply.corpus.replay import replay_games
from zeroply.corpus.score import NO_EVALUATION, Split
from zeroply.corpus.store import Corpus
from zeroply.errors import ZeroplyError
from zeroply.games.ranks import rank_texts


def test_csv_comes_back(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zeroply.corpus.exports.blocks.GAMES", 40)
    export(corpus, tmp_path / "games.csv", "csv")
    again = rebuilt(tmp_path / "games.csv", tmp_path / "again")
    assert_equal(again, corpus, ("results", "evaluations"))


@pytest.mark.slow
def test_csv_has_the_fen_of_every_position(corpus: Corpus, tmp_path: Path) -> None:
    export(corpus, tmp_path / "games.csv", "csv")
    header, *lines = (tmp_path / "games.csv").read_text().splitlines()
    assert header == "game,ply,fen,move,score,result"
    own = chess.Board("4k3/P7/8/8/8/8/8/R3K3 b Q - 3 40")
    at = 0
    for number in range(len(corpus)):
        board = chess.Board() if corpus.starts[number] < 0 else own
        for move in corpus.moves[corpus.offsets[number] : corpus.offsets[number + 1]]:
            game, ply, fen, name, *_ = lines[at].split(",")
            assert (game, ply, fen) == (str(number), str(board.ply()), board.fen(en_passant="legal"))
            assert name == CHESS.moves.names[move]
            board.push_uci(name)
            at += 1
    assert at == len(lines)
    assert [line.rsplit(",", 2)[1:] for line in lines[-12:-7]] == [
        ["", "1"], ["-31", "1"], ["50", "1"], ["20", "1"], ["#3", "1"]
    ]  # fmt: skip


@given(st.lists(st.lists(st.integers(-6, 6), min_size=64, max_size=64), max_size=5))
def test_ranks_are_written_in_their_order(boards: list[list[int]]) -> None:
    found = rank_texts(np.array(boards, np.int8).reshape(-1, 64), 8, lambda codes: ",".join(map(str, codes)))
    assert [",".join(ranks) for ranks in found] == [",".join(map(str, board)) for board in boards]


def test_parquet_holds_the_rows(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zeroply.corpus.exports.blocks.GAMES", 40)
    export(corpus, tmp_path / "rows.parquet", "parquet")
    file = pq.ParquetFile(tmp_path / "rows.parquet")
    assert file.num_row_groups == 4
    table = file.read()
    wanted = replay_games(corpus, np.arange(len(corpus)), np.empty(0))
    names = ["game", "ply", "board", "turn", "rights", "en_passant", "halfmove", "repeats"]
    assert table.column_names == [*names, "move", "result", "evaluation", "clock"]
    assert str(table.schema.field("board").type) == "fixed_size_list<element: int8>[64]"
    np.testing.assert_array_equal(table["game"].to_numpy(), wanted.game)
    for name, column in wanted.state.items():
        values = table[name].combine_chunks()
        flat = values.flatten() if column.ndim == 2 else values
        np.testing.assert_array_equal(flat.to_numpy(), column.reshape(-1), err_msg=name)
    assert table["move"].to_pylist() == [CHESS.moves.names[move] for move in corpus.moves]
    points = {0: 0.0, 1: 0.5, 2: 1.0, 3: None}
    assert table["result"].to_pylist() == [points[corpus.results[game]] for game in wanted.game]
    assert table["evaluation"].to_pylist() == [
        None if value == NO_EVALUATION else value for value in corpus.evaluations.tolist()
    ]
    clocks = [time for time in table["clock"].to_pylist() if time is not None]
    assert clocks == [60.0, 9.5, 3723.0]


def test_an_unknown_format_and_a_folder_in_the_way(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(ZeroplyError, match=r"^unknown format 'xls'\. Known: castle, parquet, csv, pgn$"):
        export(corpus, tmp_path / "x", "xls")
    (tmp_path / "there").mkdir()
    for name in FORMATS:
        with pytest.raises(ZeroplyError, match=r"there exists and is a folder\. Choose another name"):
            export(corpus, tmp_path / "there", name)
    assert [path.name for path in tmp_path.rglob("*")] == ["there"]
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ZeroplyError, match=r"file exists\. Choose another folder"):
        export(corpus, tmp_path / "file", "castle")
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("name", FORMATS)
def test_a_split_is_written_alone(corpus: Corpus, tmp_path: Path, name: str) -> None:
    wanted = [
        corpus.moves[corpus.offsets[number] : corpus.offsets[number + 1]].tolist()
        for number in corpus.games_in(Split.train)
        if name != "castle" or corpus.starts[number] < 0
    ]
    told = export(corpus, tmp_path / f"out.{name}", name, "train")
    assert 10 < len(wanted) < len(corpus)
    assert f": {len(wanted)} games, {sum(map(len, wanted)):,} " in told
    if name == "parquet":
        games = pq.ParquetFile(tmp_path / "out.parquet").read()["game"].to_pylist()
        assert list(dict.fromkeys(games)) == corpus.games_in(Split.train).tolist()
    else:
        written = tmp_path / f"out.{name}"
        assert games_in(written / "dataset" if name == "castle" else written) == wanted


def test_an_unknown_and_an_empty_split(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(ZeroplyError, match=r"^unknown split 'trial'. Known: train, validation, test, all$"):
        export(corpus, tmp_path / "x", "pgn", "trial")
    (tmp_path / "x.pgn").write_text("1. e4 *")
    build(tmp_path / "tiny", [tmp_path / "x.pgn"], CHESS, shares={})
    with pytest.raises(
        ZeroplyError, match=r"tiny has no games in its test part\. Build it with a larger share"
    ):
        export(Corpus.open(tmp_path / "tiny"), tmp_path / "y", "pgn", "test")


class Breaking:
    """Moves of which the last cannot be read."""

    def __init__(self, moves: NDArray[np.uint16]) -> None:
        self._moves = moves

    def __len__(self) -> int:
        return len(self._moves)

    def __getitem__(self, index: slice | NDArray[np.int64]) -> NDArray[np.uint16]:
        if len(self) - 1 in np.arange(len(self))[index]:
            raise OSError("the disk is broken")
        return self._moves[index]


@pytest.mark.parametrize("name", FORMATS)
def test_a_failed_export_leaves_nothing(
    corpus: Corpus, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zeroply.corpus.exports.blocks.GAMES", 40)
    monkeypatch.setitem(corpus.__dict__, "moves", Breaking(corpus.moves))
    with pytest.raises(OSError, match="broken"):
        export(corpus, tmp_path / "out", name)
    assert not list(tmp_path.iterdir())
