"""Puzzles: a knower solves all, a random mover few; any mate counts at the end, nothing else does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.sources import CHESS, ROOT
from zeroply.errors import ReadError
from zeroply.evals.bands import by_dimension
from zeroply.evals.puzzles import read_puzzles, solve
from zeroply.games import Position
from zeroply.players.simple import RandomPlayer

PUZZLES = ROOT / "examples" / "puzzles.csv"
LADDER = """PuzzleId,FEN,Moves,Rating,Popularity,Themes
ladder,7k/8/8/R7/1R6/8/8/1K6 b - - 0 1,h8g8 b4b7 g8f8 a5a8,1000,100,mateIn2
"""


class Scripted:
    """Plays what it was told for a position, by placement and side to move."""

    name = "scripted"

    def __init__(self, answers: Mapping[str, str]) -> None:
        self._answers = answers

    def choose(self, positions: Sequence[Position]) -> list[int]:
        return [CHESS.moves.number(self._answers[position.fen().split()[0]]) for position in positions]

    def close(self) -> None:
        pass


@pytest.fixture
def ladder(tmp_path: Path) -> Path:
    (tmp_path / "ladder.csv").write_text(LADDER)
    return tmp_path / "ladder.csv"


def answers(second: str, first: str = "b4b7") -> Scripted:
    return Scripted({"6k1/8/8/R7/1R6/8/8/1K6": first, "5k2/1R6/8/R7/8/8/8/1K6": second})


def test_the_whole_line_must_be_right(ladder: Path) -> None:
    puzzles = read_puzzles(ladder, CHESS, limit=None)
    right = solve(answers("a5a8"), CHESS, puzzles)
    assert (right["solved"], right["first_move"], right["n"]) == (1.0, 1.0, 1)
    half = solve(answers("a5a7"), CHESS, puzzles)
    assert (half["solved"], half["first_move"]) == (0.0, 1.0)
    wrong = solve(answers("a5a8", first="a5a6"), CHESS, puzzles)
    assert (wrong["solved"], wrong["first_move"]) == (0.0, 0.0)


def test_any_mate_counts_on_the_last_move(tmp_path: Path) -> None:
    lines = "PuzzleId,FEN,Moves\ntwo,6k1/5ppp/8/8/8/8/5PPP/RR4K1 b - - 0 1,h7h6 a1a8\n"
    (tmp_path / "two.csv").write_text(lines.replace("h7h6 a1a8", "g8h8 a1a8"))
    puzzles = read_puzzles(tmp_path / "two.csv", CHESS, limit=None)
    other_mate = Scripted({"7k/5ppp/8/8/8/8/5PPP/RR4K1": "b1b8"})
    no_mate = Scripted({"7k/5ppp/8/8/8/8/5PPP/RR4K1": "a1a7"})
    assert solve(other_mate, CHESS, puzzles)["solved"] == 1.0
    assert solve(no_mate, CHESS, puzzles)["solved"] == 0.0


def test_one_who_knows_solves_all_of_every_rating_and_theme() -> None:
    puzzles = read_puzzles(PUZZLES, CHESS, limit=None)
    answers = {}
    for puzzle in puzzles:
        position = CHESS.start(puzzle.start)
        for at, move in enumerate(puzzle.moves):
            if at % 2:
                answers[position.fen().split()[0]] = CHESS.moves.names[move]
            position = position.play(move)
    found = solve(Scripted(answers), CHESS, puzzles)
    assert found["solved"] == found["first_move"] == 1.0
    parts = by_dimension(found)
    assert sum(numbers["n"] for numbers in parts["rating"].values()) == found["n"] == len(puzzles)
    assert all(numbers["solved"] == 1.0 for bands in parts.values() for numbers in bands.values())
    themes = Counter(theme for puzzle in puzzles for theme in puzzle.tags["Themes"].split())
    many = {theme: count for theme, count in themes.items() if count >= 10}
    assert {theme: numbers["n"] for theme, numbers in parts["theme"].items()} == many


def test_a_random_mover_finds_its_expected_share_of_first_moves() -> None:
    puzzles = read_puzzles(PUZZLES, CHESS, limit=None) * 10
    found = solve(RandomPlayer(0), CHESS, puzzles)
    chances = []
    for puzzle in puzzles[: len(puzzles) // 10]:
        position = CHESS.start(puzzle.start).play(puzzle.moves[0])
        mates = [position.play(int(move)).result() == 1.0 - position.turn for move in position.legal()]
        right = sum(mates) if len(puzzle.moves) == 2 else 1
        chances.append(right / len(mates))
    expected = sum(chances) / len(chances)
    assert found["first_move_low"] < expected < found["first_move_high"]
    assert found["solved"] <= found["first_move"]


def test_a_limit_draws_the_same_puzzles_for_the_same_seed() -> None:
    one, again = (read_puzzles(PUZZLES, CHESS, limit=10, seed=3) for _ in range(2))
    assert [puzzle.tags for puzzle in one] == [puzzle.tags for puzzle in again]
    other = read_puzzles(PUZZLES, CHESS, limit=10, seed=4)
    assert [puzzle.tags for puzzle in one] != [puzzle.tags for puzzle in other]


def test_a_puzzle_that_cannot_be_played_is_left_out_and_counted(tmp_path: Path) -> None:
    (tmp_path / "ladder.csv").write_text(LADDER)
    (good,) = read_puzzles(tmp_path / "ladder.csv", CHESS, limit=None)
    bad = [replace(good, start="junk"), replace(good, moves=good.moves[::-1])]
    found = solve(answers("a5a8"), CHESS, [good, *bad])
    assert (found["n"], found["skipped"], found["solved"]) == (1, 2, 1.0)


def test_a_puzzle_whose_moves_are_not_legal_is_not_read(tmp_path: Path) -> None:
    bad = "bad,junk,h8g8 b4b7,1,1,x\nworse,7k/8/8/R7/1R6/8/8/1K6 b - - 0 1,h8h1 b4b7,1,1,x\n"
    (tmp_path / "mixed.csv").write_text(LADDER + bad)
    assert len(read_puzzles(tmp_path / "mixed.csv", CHESS, limit=None)) == 1


def test_a_file_of_another_kind_is_named(tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ReadError, match=r"other\.csv has no column PuzzleId"):
        read_puzzles(tmp_path / "other.csv", CHESS, limit=None)
