"""Puzzles: a knower solves all, a random mover few; any mate counts at the end, nothing else does."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.sources import CHESS, PUZZLES
from zeroply.errors import EngineError, ReadError
from zeroply.evals.bands import by_dimension
from zeroply.evals.puzzles import Puzzles, read_puzzles, solve
from zeroply.games import Position
from zeroply.players.answer import Answer
from zeroply.players.base import Choice
from zeroply.players.simple import RandomPlayer
from zeroply.players.spec import parse_player

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
    for puzzle in puzzles.sound:
        position = CHESS.start(puzzle.start)
        for at, move in enumerate(puzzle.moves):
            if at % 2:
                answers[position.fen().split()[0]] = CHESS.moves.names[move]
            position = position.play(move)
    found = solve(Scripted(answers), CHESS, puzzles)
    assert found["solved"] == found["first_move"] == 1.0
    parts = by_dimension(found)
    assert sum(numbers["n"] for numbers in parts["rating"].values()) == found["n"] == len(puzzles.sound)
    assert all(numbers["solved"] == 1.0 for bands in parts.values() for numbers in bands.values())
    themes = Counter(theme for puzzle in puzzles.sound for theme in puzzle.tags["Themes"].split())
    many = {theme: count for theme, count in themes.items() if count >= 10}
    assert {theme: numbers["n"] for theme, numbers in parts["theme"].items()} == many


def test_a_random_mover_finds_its_expected_share_of_first_moves() -> None:
    puzzles = read_puzzles(PUZZLES, CHESS, limit=None).sound
    found = solve(RandomPlayer(0), CHESS, Puzzles(sound=[*puzzles] * 10, skipped=0))
    chances = []
    for puzzle in puzzles:
        position = CHESS.start(puzzle.start).play(puzzle.moves[0])
        mates = [position.play(int(move)).result() == 1.0 - position.turn for move in position.legal()]
        right = sum(mates) if len(puzzle.moves) == 2 else 1
        chances.append(right / len(mates))
    expected = sum(chances) / len(chances)
    assert found["first_move_low"] < expected < found["first_move_high"]
    assert found["solved"] <= found["first_move"]


def test_a_limit_draws_the_same_puzzles_for_the_same_seed() -> None:
    one, again = (read_puzzles(PUZZLES, CHESS, limit=10, seed=3).sound for _ in range(2))
    assert [puzzle.tags for puzzle in one] == [puzzle.tags for puzzle in again]
    other = read_puzzles(PUZZLES, CHESS, limit=10, seed=4).sound
    assert [puzzle.tags for puzzle in one] != [puzzle.tags for puzzle in other]


BAD = "bad,junk,h8g8 b4b7,1,1,x\nworse,7k/8/8/R7/1R6/8/8/1K6 b - - 0 1,h8h1 b4b7,1,1,x\n"


def test_puzzles_that_cannot_be_played_are_left_out_and_counted(tmp_path: Path) -> None:
    (tmp_path / "mixed.csv").write_text(LADDER + BAD)
    puzzles = read_puzzles(tmp_path / "mixed.csv", CHESS, limit=1)
    found = solve(answers("a5a8"), CHESS, puzzles)
    assert (found["n"], found["skipped"], found["solved"]) == (1, 2, 1.0)
    (tmp_path / "bad.csv").write_text(LADDER.splitlines()[0] + "\n" + BAD)
    with pytest.raises(ReadError, match=r"bad\.csv holds no puzzle that can be played\. The first: .*junk"):
        read_puzzles(tmp_path / "bad.csv", CHESS, limit=None)


def test_where_an_engine_breaks_down_it_has_not_solved(ladder: Path) -> None:
    """It is started again for the next; `sound` plays the first legal move, which solves nothing either."""
    puzzles = read_puzzles(ladder, CHESS, limit=None)
    engine = Path(__file__).parent.parent / "players" / "buggy_engine.py"
    for how, crashes in (("crash", 2), ("sound", 0)):
        player = parse_player(f"uci:{sys.executable} {engine} {how} depth=1", CHESS)
        found = solve(player, CHESS, Puzzles(sound=[*puzzles.sound] * 2, skipped=0))
        player.close()
        assert (found["n"], found["solved"], found.get("crashes", 0)) == (2, 0.0, crashes)


def test_an_engine_that_always_breaks_down_is_given_up(ladder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or a whole collection would be read to one that says nothing, a minute each."""

    class Broken(RandomPlayer):
        asked = 0

        def ask(self, position: Position) -> Answer:
            self.asked += 1
            if self.asked in (1, 2, 4, 5, 6):
                raise EngineError("no answer within 60 s")
            return Answer(best="a1a2", lines=())

        def choice(self, position: Position, answer: Answer) -> Choice:
            return Choice(CHESS.moves.number(answer.best), 0)

    monkeypatch.setattr("zeroply.evals.asking.HOPELESS", 3)
    puzzle, player = read_puzzles(ladder, CHESS, limit=None).sound[0], Broken()
    found = solve(player, CHESS, Puzzles(sound=[puzzle] * 5, skipped=0))
    assert (found["crashes"], found["solved"]) == (4, 0.0)
    player = Broken()
    with pytest.raises(
        EngineError, match=r"3 failures in succession, at last: no answer within 60 s\. Try the"
    ):
        solve(player, CHESS, Puzzles(sound=[puzzle] * 50, skipped=0))
    assert player.asked == 6


def test_a_file_of_another_kind_is_named(tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ReadError, match=r"other\.csv has no column PuzzleId"):
        read_puzzles(tmp_path / "other.csv", CHESS, limit=None)
