"""Suites of test positions: what a line says, and what one who knows, or does not, gets for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.sources import CHESS, XIANGQI, shared
from zeroply.errors import ReadError
from zeroply.evals.bands import by_dimension
from zeroply.evals.epd import move_called, parse_entry
from zeroply.evals.suite import Task, play_suite, read_suite
from zeroply.games import Game, Position
from zeroply.players.simple import RandomPlayer

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"
XIANGQI_START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - -"


class Chosen:
    """Plays what it was told, by name."""

    name = "chosen"

    def __init__(self, game: Game, *moves: str) -> None:
        self._moves = [game.moves.number(move) for move in moves]

    def choose(self, positions: Sequence[Position]) -> list[int]:
        chosen, self._moves = self._moves[: len(positions)], self._moves[len(positions) :]
        return chosen

    def close(self) -> None:
        """Nothing to let go of."""


def suite(path: Path, *lines: str, game: Game = CHESS) -> list[Task]:
    path = path / "suite.epd"
    path.write_text("# a comment\n\n" + "\n".join(lines))
    return read_suite(path, game, limit=None)


def test_a_line_is_taken_apart() -> None:
    entry = parse_entry(f'{START} bm Nf3 e4; id "a; b.01"; c0 "x"; D1 3\n')
    assert entry.fen == f"{START} 0 1"
    assert entry.operations == {"bm": "Nf3 e4", "id": "a; b.01", "c0": "x", "D1": "3"}
    assert parse_entry(f"{START} 4 9 am e4;").fen == f"{START} 4 9"
    assert parse_entry(f"{START} 4 9 am e4;").operations == {"am": "e4"}
    assert parse_entry(START).operations == {}


@pytest.mark.parametrize(
    ("game", "fen", "text", "move"),
    [
        (CHESS, START, "Nf3", "g1f3"),
        (CHESS, START, "g1f3", "g1f3"),
        (CHESS, START, "Nf6", None),
        (CHESS, CASTLES, "0-0-0", "e1c1"),
        (CHESS, CASTLES, "O-O+", "e1g1"),
        (CHESS, CASTLES, "Rxa8", "a1a8"),
        (CHESS, CASTLES, "Rxa8+!", "a1a8"),
        (XIANGQI, XIANGQI_START, "h2e2", "h2e2"),
        (XIANGQI, XIANGQI_START, "H2-E2", "h2e2"),
        (XIANGQI, XIANGQI_START, "C2.5", "h2e2"),
        (XIANGQI, XIANGQI_START, "R1+1", "i0i1"),
        (XIANGQI, XIANGQI_START, "h3e3", None),
    ],
)
def test_moves_are_known_by_all_their_names(game: Game, fen: str, text: str, move: str | None) -> None:
    found = move_called(game, game.start(f"{fen} 0 1"), text)
    assert (None if found is None else game.moves.names[found]) == move


def test_best_moves_bad_moves_and_points(tmp_path: Path) -> None:
    tasks = suite(
        tmp_path,
        f"{START} bm e4 d4;",
        f"{START} am f3;",
        f'{START} bm e4; c8 "10 4"; c9 "e2e4 c2c4";',
        f'{START} c0 "Nf3=8, c4=2";',
        f'{CASTLES} bm O-O; c0 "a mere comment";',
    )

    def solved(*moves: str) -> list[float]:
        found = [play_suite(Chosen(CHESS, move), [task]) for task, move in zip(tasks, moves, strict=True)]
        return [one["solved"] for one in found]

    assert solved("d2d4", "e2e4", "e2e4", "g1f3", "e1g1") == [1, 1, 1, 1, 1]
    assert solved("c2c4", "f2f3", "c2c4", "c2c4", "e1c1") == [0, 0, 0, 0, 0]
    found = play_suite(Chosen(CHESS, "e2e4", "e2e4", "c2c4", "c2c4", "a1b1"), tasks)
    assert (found["n"], found["solved"]) == (5, 2 / 5)
    assert (found["points_won"], found["points_possible"]) == (6, 18)
    assert found["points"] == pytest.approx((4 / 10 + 2 / 8) / 2)


def test_points_that_are_all_nothing_are_none(tmp_path: Path) -> None:
    tasks = suite(tmp_path, f'{START} bm e4; c8 "0 0"; c9 "e2e4 c2c4";')
    found = play_suite(Chosen(CHESS, "e2e4"), tasks)
    assert (found["solved"], found["points_possible"]) == (1.0, 0)
    assert "points" not in found


def test_themes_are_told_apart_by_their_ids(tmp_path: Path) -> None:
    themes = ["STS(v1.0) One"] * 10 + ["Two Words"] * 10 + ["rare"] * 9
    lines = [
        f'{START} bm {"d4" if theme == "Two Words" else "e4"}; id "{theme}.{number:03}";'
        for number, theme in enumerate(themes)
    ]
    found = play_suite(Chosen(CHESS, *["e2e4"] * 29), suite(tmp_path, *lines))
    parts = by_dimension(found)["theme"]
    assert {theme: numbers["solved"] for theme, numbers in parts.items()} == {
        "sts_v1_0_one": 1,
        "two_words": 0,
    }
    assert found["n_theme_two_words"] == 10


def test_xiangqi_has_suites_too(tmp_path: Path) -> None:
    tasks = suite(tmp_path, f"{XIANGQI_START} bm h2e2 C8.5;", game=XIANGQI)
    assert play_suite(Chosen(XIANGQI, "b2e2"), tasks)["solved"] == 1.0
    assert play_suite(Chosen(XIANGQI, "h2d2"), tasks)["solved"] == 0.0


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("", "holds no positions"),
        ("nonsense", "line 3: 'nonsense"),
        (f"{START} bm Qh5;", "line 3: 'Qh5' is no legal move in rnbq"),
        (f"{START} id x;", "line 3: it has no bm, am or points"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - bm Kg8;", "line 3: the game is over in .*: stalemate"),
    ],
)
def test_bad_files_are_one_line(tmp_path: Path, line: str, wanted: str) -> None:
    with pytest.raises(ReadError, match=wanted) as caught:
        suite(tmp_path, line)
    assert "\n" not in str(caught.value)


def test_a_limit_draws_the_same_positions_for_the_same_seed(tmp_path: Path) -> None:
    suite(tmp_path, *[f"{START} bm e4; id {number}x;" for number in range(50)])
    draws = [
        [task.theme for task in read_suite(tmp_path / "suite.epd", CHESS, limit=5, seed=seed)]
        for seed in (1, 1, 2)
    ]
    assert draws[0] == draws[1] != draws[2]


@pytest.mark.slow
def test_one_who_knows_and_a_random_mover_in_a_real_suite() -> None:
    tasks = read_suite(shared("chess-sts.epd.xz"), CHESS, limit=400)
    most: list[Mapping[int, int]] = [task.points for task in tasks]
    knower = Chosen(CHESS, *(CHESS.moves.names[max(points, key=points.__getitem__)] for points in most))
    found = play_suite(knower, tasks)
    assert found["points"] == 1.0
    assert found["solved"] > 0.98
    guess = play_suite(RandomPlayer(0), tasks)
    expected = sum(len(task.best) / len(task.position.legal()) for task in tasks) / len(tasks)
    assert guess["solved_low"] < expected < guess["solved_high"]
