"""Corpora written as castle's files, and read back: by our own reader and python-chess."""

from __future__ import annotations

import json
from pathlib import Path

import chess
import numpy as np
import pytest

from tests.corpus.exports.back import games_in
from tests.sources import CHESS
from zeroply.corpus.exports import export
from zeroply.corpus.store import Corpus


def usual_games(corpus: Corpus) -> list[list[int]]:
    return [
        corpus.moves[corpus.offsets[number] : corpus.offsets[number + 1]].tolist()
        for number in np.flatnonzero(corpus.starts < 0)
    ]


@pytest.fixture(scope="module")
def castle(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder that was written, and what was told of it."""
    out = tmp_path_factory.mktemp("exports") / "castle"
    return out, export(corpus, out, "castle")


def test_castle_comes_back(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zeroply.corpus.exports.blocks.GAMES", 40)
    told = export(corpus, tmp_path / "castle", "castle")
    assert "152 games" in told
    assert "1 games from other positions and labels left out" in told
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


def test_castle_lines_are_the_golden_ones(castle: tuple[Path, str]) -> None:
    golden = (Path(__file__).parent.parent / "castle_first_lines.txt").read_text().splitlines()
    lines = (castle[0] / "dataset/split/castle_dataset_split_1.txt").read_text().splitlines()
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


@pytest.mark.slow
def test_every_castle_line_is_as_python_chess_has_it(corpus: Corpus, castle: tuple[Path, str]) -> None:
    path = castle[0] / "dataset" / "3_uci_moves_with_board_state_and_index.txt"
    lines = iter(path.read_text().splitlines())
    for moves in usual_games(corpus):
        board = chess.Board()
        for move in moves:
            assert next(lines) == castle_line(board, move)
            board.push_uci(CHESS.moves.names[move])
    assert next(lines, None) is None


def test_castle_tables_of_moves(castle: tuple[Path, str]) -> None:
    out, told = castle
    folder = out / "rules_based_mapping"
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
