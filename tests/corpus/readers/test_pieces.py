"""Wherever a source is cut into pieces, its games are the same."""

from __future__ import annotations

import json
from pathlib import Path

import chess
import pytest

from tests.sources import CHESS, SAMPLE, sample_games
from zeroply.corpus.build import build
from zeroply.corpus.exports import export
from zeroply.corpus.readers import read, reader_of
from zeroply.corpus.score import Score, Skipped
from zeroply.corpus.store import Corpus

PUZZLES = SAMPLE.parent / "puzzles.csv"


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sample in every format that has text, each with a flaw in its midst."""
    folder = tmp_path_factory.mktemp("sources")
    games = SAMPLE.read_text(encoding="utf-8").split("\n\n[Event ")[:70]
    (folder / "some.pgn").write_text("\n\n[Event ".join(games), encoding="utf-8")
    build(folder / "corpus", [folder / "some.pgn"], CHESS)
    corpus = Corpus.open(folder / "corpus")
    made = {name: folder / f"games.{name}" for name in ("pgn", "csv")}
    for name, path in made.items():
        export(corpus, path, name)
    export(corpus, folder / "castle", "castle")
    made["castle"] = folder / "castle" / "dataset" / "3_uci_moves_with_board_state_and_index.txt"
    made["uci"] = folder / "castle" / "dataset" / "2_uci_moves_dataset.txt"
    made["split"] = folder / "castle" / "dataset"
    made["puzzles"], made["jsonl"], made["evals"] = PUZZLES, folder / "e.jsonl", folder / "e.csv"
    evaluated = [_after_the_first_move(game) for game in sample_games()]
    made["jsonl"].write_text("\n".join(json.dumps(_as_lichess_has_it(*found)) for found in evaluated))
    rows = [f"{fen},{move},{depth},1,{depth},\n" for fen, move in evaluated for depth in (3, 9, 5)]
    made["evals"].write_text("fen,line,depth,knodes,cp,mate\n" + "".join(rows))
    for name in ("pgn", "csv", "castle", "uci", "jsonl", "evals"):
        lines = made[name].read_text(encoding="utf-8").splitlines(keepends=True)
        made[name].write_text("".join([*lines[:100], "rubbish e9\n", *lines[100:]]), encoding="utf-8")
    return made


def _after_the_first_move(game: Score) -> tuple[str, str]:
    board = chess.Board()
    board.push_uci(CHESS.moves.names[int(game.moves[0])])
    return board.fen(), CHESS.moves.names[int(game.moves[1])]


def _as_lichess_has_it(fen: str, move: str) -> dict[str, object]:
    return {"fen": fen, "evals": [{"depth": 9, "knodes": 1, "pvs": [{"cp": 7, "line": move}]}]}


def comparable(item: Score | Skipped) -> object:
    if isinstance(item, Skipped):
        return item.source, item.number
    facts = item.start, item.result, item.ratings, item.year, item.kind, item.tags
    return [int(move) for move in item.moves], [int(value) for value in item.evaluations], facts


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pgn", "csv", "castle", "uci", "split", "puzzles", "jsonl", "evals"])
def test_small_pieces_give_the_same_games(
    name: str, sources: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = sources[name]
    whole = list(map(comparable, read(source, CHESS)))
    monkeypatch.setattr("zeroply.corpus.readers.files.SIZE", 2500)
    monkeypatch.setattr("zeroply.corpus.readers.pieces.SIZE", 2500)
    pieces = list(reader_of(source, CHESS).pieces(source))
    assert len(pieces) > 1
    assert [piece.share for piece in pieces] == sorted(piece.share for piece in pieces)
    assert pieces[-1].share == 1.0
    assert list(map(comparable, read(source, CHESS))) == whole
    assert len(whole) >= 60
