"""Corpora written for other programs, and read back: by our own readers, python-chess and pyarrow."""

from __future__ import annotations

import json
from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.sources import CHESS, SAMPLE, shared
from zeroply.corpus.build import build
from zeroply.corpus.exports import FORMATS, export
from zeroply.corpus.exports.comments import clock, pawns, score
from zeroply.corpus.readers import read
from zeroply.corpus.readers.engine import _evaluation
from zeroply.corpus.readers.pgn import comments
from zeroply.corpus.replay import replay_games
from zeroply.corpus.score import MATE, NO_CLOCK, NO_EVALUATION, Score, Skipped, Split
from zeroply.corpus.store import Corpus
from zeroply.corpus.tags import read_tags
from zeroply.errors import ZeroplyError
from zeroply.games.ranks import rank_texts

OWN = r"""[White "Dürer, \"Albrecht\""]
[WhiteElo "2500"]
[BlackElo "2400"]
[Date "2020.01.02"]
[Result "1-0"]

1. e4 { [%eval 0.31] [%clk 0:01:00] } d5 { [%eval 0.5] } 2. e5 { [%eval -0.2] [%clk 0:00:09.5] } f5
{ [%eval #3] } 3. exf6 { [%eval #-2] [%clk 1:02:03] } 1-0

[White "Black begins"]
[FEN "4k3/P7/8/8/8/8/8/R3K3 b Q - 3 40"]
[SetUp "1"]
[Result "*"]

40... Kd7 41. O-O-O+ Ke7 42. a8=N *

[White "drawn"]
[Black "a \ name [with] {signs}"]
[Result "1/2-1/2"]

1. Nf3 Nf6 2. Ng5 1/2-1/2
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """The sample and three games with all that a corpus can hold."""
    folder = tmp_path_factory.mktemp("exports")
    (folder / "own.pgn").write_text(OWN, encoding="utf-8")
    build(folder / "corpus", [SAMPLE, folder / "own.pgn"], CHESS)
    return Corpus.open(folder / "corpus")


def rebuilt(path: Path, folder: Path) -> Corpus:
    manifest = build(folder, [path], CHESS)
    assert manifest["skipped"] == 0
    return Corpus.open(folder)


def assert_equal(found: Corpus, wanted: Corpus, names: tuple[str, ...]) -> None:
    for name in ("moves", "offsets", "starts", "positions", *names):
        np.testing.assert_array_equal(found.array(name), wanted.array(name), err_msg=name)


def tags_of(corpus: Corpus) -> list[dict[str, str]]:
    table = read_tags(corpus.path / "tags.parquet").to_pylist()
    return [{name: value for name, value in row.items() if value is not None} for row in table]


def games_in(path: Path) -> list[list[int]]:
    found = list(read(path, CHESS))
    assert not [item for item in found if isinstance(item, Skipped)]
    return [list(map(int, item.moves)) for item in found if isinstance(item, Score)]


def usual_games(corpus: Corpus) -> list[list[int]]:
    return [
        corpus.moves[corpus.offsets[number] : corpus.offsets[number + 1]].tolist()
        for number in np.flatnonzero(corpus.starts < 0)
    ]


def test_castle_comes_back(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zeroply.corpus.exports.blocks.GAMES", 40)
    told = export(corpus, tmp_path / "castle", "castle")
    assert "152 games" in told
    assert "1 games from other positions left out" in told
    dataset, wanted = tmp_path / "castle" / "dataset", usual_games(corpus)
    assert games_in(dataset) == wanted
    assert games_in(dataset / "2_uci_moves_dataset.txt") == wanted
    assert games_in(dataset / "3_uci_moves_with_board_state_and_index.txt") == wanted


def test_castle_splits_between_games(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zeroply.corpus.exports.castle.LINES", 700)
    export(corpus, tmp_path / "castle", "castle")
    dataset = tmp_path / "castle" / "dataset"
    files = sorted((dataset / "split").iterdir(), key=lambda path: int(path.stem.split("_")[-1]))
    assert [path.name for path in files] == [
        f"castle_dataset_split_{number}.txt" for number in range(1, len(files) + 1)
    ]
    parts = [path.read_text().splitlines(keepends=True) for path in files]
    assert max(map(len, parts)) <= 700
    assert all(len(part) + len(parts[at + 1]) > 700 for at, part in enumerate(parts[:-1]))
    first = parts[0][0].partition("|")[2]
    assert {part[0].partition("|")[2] for part in parts} == {first}
    whole = (dataset / "3_uci_moves_with_board_state_and_index.txt").read_text()
    assert "".join(line for part in parts for line in part) == whole
    assert games_in(dataset) == usual_games(corpus)


def test_castle_lines_are_the_golden_ones(corpus: Corpus, tmp_path: Path) -> None:
    export(corpus, tmp_path / "castle", "castle")
    golden = (Path(__file__).parent / "castle_first_lines.txt").read_text().splitlines()
    lines = (tmp_path / "castle/dataset/split/castle_dataset_split_1.txt").read_text().splitlines()
    assert lines[: len(golden)] == golden
    passant = lines[-4]  # exf6 en passant, before the three moves of the last game
    assert passant.startswith(f"{CHESS.moves.number('e5f6')}|")
    assert passant.endswith("|111111")


def castle_line(board: chess.Board, move: int) -> str:
    """The same by python-chess."""
    pieces = [board.piece_at(square) for square in chess.SQUARES]
    codes = [0 if not piece else piece.piece_type * (1 if piece.color else -1) for piece in pieces]
    castling = [bool(board.castling_rights & chess.BB_SQUARES[rook]) for rook in (7, 0, 63, 56)]
    flags = [*castling, board.has_legal_en_passant(), board.turn]
    return f"{move}|{','.join(map(str, codes))}|{''.join(str(int(flag)) for flag in flags)}"


def test_every_castle_line_is_as_python_chess_has_it(corpus: Corpus, tmp_path: Path) -> None:
    export(corpus, tmp_path / "castle", "castle")
    path = tmp_path / "castle" / "dataset" / "3_uci_moves_with_board_state_and_index.txt"
    lines = iter(path.read_text().splitlines())
    for moves in usual_games(corpus):
        board = chess.Board()
        for move in moves:
            assert next(lines) == castle_line(board, move)
            board.push_uci(CHESS.moves.names[move])
    assert next(lines, None) is None


def test_castle_tables_of_moves(corpus: Corpus, tmp_path: Path) -> None:
    told = export(corpus, tmp_path / "castle", "castle")
    folder = tmp_path / "castle" / "rules_based_mapping"
    moves = json.loads((folder / "all_legal_moves.json").read_text())
    assert moves == list(CHESS.moves.names)
    assert "b2a1q" in moves
    pieces = json.loads((folder / "chess_move_indices.json").read_text())
    kinds = {"pawn": 136, "knight": 336, "bishop": 560, "rook": 896, "queen": 1456, "king": 422}
    counts = {f"{colour}_{kind}": count for colour in ("white", "black") for kind, count in kinds.items()}
    assert {piece: len(set(found)) for piece, found in pieces.items()} == counts
    assert list(pieces) == list(counts)
    assert all(f"{piece} {count}" in told for piece, count in counts.items())
    assert "all unique 1,968" in told
    assert "b2a1q" in pieces["black_pawn"]
    assert {"e1g1", "e1c1"} <= set(pieces["white_king"]) - set(pieces["black_king"])


ALL = ("results", "ratings", "years", "kinds", "splits")


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


def test_real_games_come_back_from_pgn(tmp_path: Path) -> None:
    source = shared("twic-sample.pgn.xz")
    build(tmp_path / "corpus", [source], CHESS, where="Round = '1.1'")
    corpus = Corpus.open(tmp_path / "corpus")
    export(corpus, tmp_path / "games.pgn", "pgn")
    again = rebuilt(tmp_path / "games.pgn", tmp_path / "again")
    assert_equal(again, corpus, ("results", "ratings", "years", "kinds"))
    assert tags_of(again) == tags_of(corpus)


def test_csv_comes_back(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zeroply.corpus.exports.blocks.GAMES", 40)
    export(corpus, tmp_path / "games.csv", "csv")
    again = rebuilt(tmp_path / "games.csv", tmp_path / "again")
    assert_equal(again, corpus, ("results", "evaluations"))


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


@given(st.integers(-MATE, MATE) | st.just(NO_EVALUATION))
def test_an_evaluation_comes_back_from_its_text(value: int) -> None:
    assert _evaluation(score(value)) == value
    if value != NO_EVALUATION:
        assert comments._value(pawns(value), plies=False) == value


@given(st.integers(0, 100_000 * 36_000 - 1))
def test_a_clock_comes_back_from_its_text(tenths: int) -> None:
    found = comments.clocks([f"[%clk {clock(tenths)}]", None], comments.CLOCKS)
    assert found == [tenths, NO_CLOCK]


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
