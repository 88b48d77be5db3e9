"""Engine games as a table of positions, back into games."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.sources import CHESS, sample_games
from zeroply.corpus.readers import engine, read
from zeroply.corpus.score import MATE, NO_EVALUATION, Kind, Score, Skipped
from zeroply.errors import ReadError

FEN = "4k3/P7/8/8/8/8/8/4K3 b - - 3 40"


def write(path: Path, rows: list[tuple[object, ...]]) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([(*engine.COLUMNS, "white"), *rows])
    return path


def table(game: Score, name: str) -> list[tuple[object, ...]]:
    """The rows of a game, as an exporter writes them."""
    rows: list[tuple[object, ...]] = []
    position = CHESS.start(game.start)
    for move in game.moves:
        result = "" if game.result is None else game.result
        row = name, position.ply, position.fen(), CHESS.moves.names[move], position.ply - 20, result, "A"
        rows.append(row)
        position = position.play(int(move))
    return rows


def test_real_games_come_back(tmp_path: Path) -> None:
    games = sample_games()[:20]
    rows = [row for number, game in enumerate(games) for row in table(game, str(number))]
    found = list(read(write(tmp_path / "games.csv", rows), CHESS))
    for item, game in zip(found, games, strict=True):
        assert isinstance(item, Score)
        assert list(item.moves) == list(game.moves)
        assert (item.start, item.result, item.kind, item.tags) == (
            None,
            game.result,
            Kind.engine,
            {"white": "A"},
        )
        assert list(item.evaluations) == [ply - 20 for ply in range(len(game.moves))]


def test_scores_starts_and_flaws(tmp_path: Path) -> None:
    rows: list[tuple[object, ...]] = [
        ("a", 79, FEN, "e8e7", "#-4", 1),
        ("a", 80, "4k3/P3K3/8/8/8/8/8/8 w - - 4 41", "a7a8q", "#4", 1),
        ("a", 81, "", "e7d7", "", 1),
        ("b", 0, FEN, "e8e5", 3, 1),
        ("c", 0, FEN, "e8e7", 3, 1),
        ("c", 2, FEN, "e8e7", 3, 1),
        ("d", 0, FEN, "e8e7", "good", 1),
        ("e", 0, FEN, "e8e7", "1.5", "won"),
        ("f", 0, "", "e8e7", "1.5", "1"),
        ("g", 0, FEN, "e8f8", "", ""),
    ]
    first, *flaws, last = read(write(tmp_path / "games.csv", rows), CHESS)
    assert isinstance(first, Score)
    assert (first.start, first.result) == (FEN, 1.0)
    assert list(first.evaluations) == [-(MATE - 4), MATE - 4, NO_EVALUATION]
    assert isinstance(last, Score)
    assert (last.result, last.evaluations) == (None, ())
    reasons = [flaw.reason for flaw in flaws if isinstance(flaw, Skipped)]
    wanted = [
        "ply 1: e8e5 is not legal in 4k3/P7/8/8/8/8/8/4K3 b - - 3 40",
        "ply 2 follows ply 0",
        "'good' is no score: centipawns, #3 or #-3",
        "'won' is no result",
        "not a chess position",
    ]
    assert len(reasons) == len(wanted)
    for reason, part in zip(reasons, wanted, strict=True):
        assert part in reason


@pytest.mark.parametrize("text", ["game,ply,fen\n", "\0\0\n1,2", '"never closed'])
def test_other_tables_are_refused_by_their_columns(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(ReadError, match=r"x\.csv has the columns .*game, ply, fen.*PuzzleId, FEN, Moves"):
        read(tmp_path / "x.csv", CHESS)
