"""Matches between players."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from zeroply.errors import ZeroplyError
from zeroply.evals import playing
from zeroply.evals.match import MatchResult, play_match
from zeroply.evals.openings import random_openings
from zeroply.evals.played import write_pgn
from zeroply.games import Game, Position, game_named
from zeroply.players.simple import GreedyPlayer, RandomPlayer
from zeroply.players.spec import parse_player

CHESS, XIANGQI = game_named("chess"), game_named("xiangqi")
TELLER = Path(__file__).parent.parent / "players" / "telling_engine.py"


class Scripted:
    """Plays moves by name, the same in every game, and notes how many positions came at a time."""

    def __init__(self, name: str, white: str, black: str) -> None:
        self.name = name
        self._lines = white.split(), black.split()
        self.batches: list[int] = []

    def choose(self, positions: Sequence[Position]) -> list[int]:
        self.batches.append(len(positions))
        return [
            CHESS.moves.number(self._lines[position.turn][len(position.record()[1]) // 2])
            for position in positions
        ]

    def close(self) -> None:
        """Nothing to let go of."""


START = CHESS.start().fen()
AFTER_E4 = CHESS.start().play(CHESS.moves.number("e2e4")).fen()
FOOLS_MATE = "f2f3 g2g4", "e7e5 d8h4"


def test_both_colours_and_points_from_a_view() -> None:
    result = play_match(Scripted("a", *FOOLS_MATE), Scripted("b", *FOOLS_MATE), CHESS, 4, [START])
    assert [played.players for played in result.played] == [("a", "b"), ("b", "a")] * 2
    assert result.points() == [0.0, 1.0, 0.0, 1.0]
    assert {played.reason for played in result.played} == {"checkmate"}
    summary = result.summary()
    assert (summary["n"], summary["wins"], summary["draws"], summary["losses"]) == (4, 2, 0, 2)
    assert summary["pairs"] == 1
    assert (summary["model"], summary["opponent"]) == ("a", "b")
    assert (summary["score"], summary["elo"]) == (0.5, 0.0)
    # One opening, played twice, is no more than one observation.
    assert summary["score_high"] - summary["score_low"] > 0.9
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary


@pytest.mark.slow
@pytest.mark.parametrize(("games", "pairs"), [(1, 1), (8, 4), (9, 5)])
def test_rounds_of_a_single_opening_count_where_chance_makes_them_differ(games: int, pairs: int) -> None:
    """Who plays by chance from the first position only is told what he asked: how well he does from there."""
    result = play_match(RandomPlayer(), GreedyPlayer(), CHESS, games, [START])
    assert result.summary()["pairs"] == pairs
    sizes = [len(pair) for pair in result.pairs()]
    assert sizes[:-1] == [2] * (pairs - 1)


@pytest.mark.parametrize("games", [2, 8, 9])
def test_the_same_game_again_and_again_tells_no_more_than_once(games: int) -> None:
    result = play_match(Scripted("a", *FOOLS_MATE), Scripted("b", *FOOLS_MATE), CHESS, games, [START])
    assert [len(pair) for pair in result.pairs()] == [games]


@pytest.mark.slow
def test_two_openings_are_a_sample_of_two() -> None:
    result = play_match(RandomPlayer(), GreedyPlayer(), CHESS, 8, [START, AFTER_E4])
    assert [len(pair) for pair in result.pairs()] == [4, 4]


def test_games_advance_in_step() -> None:
    a, b = Scripted("a", *FOOLS_MATE), Scripted("b", *FOOLS_MATE)
    play_match(a, b, CHESS, 20, [START])
    # Ten games with each colour, four plies each: both players are asked about ten positions a step.
    assert a.batches == b.batches == [10, 10, 10, 10]


def test_more_games_than_fit_in_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "IN_STEP", 3)
    openings = random_openings(CHESS, 4)
    result = play_match(GreedyPlayer(1), RandomPlayer(1), CHESS, 8, openings, ply_limit=40)
    assert [played.number for played in result.played] == list(range(8))
    assert [played.start for played in result.played] == [openings[number // 2] for number in range(8)]


@pytest.mark.parametrize("game", [CHESS, XIANGQI], ids=lambda game: str(game.name))
def test_a_game_does_not_depend_on_those_beside_it(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    openings = random_openings(game, 3)
    monkeypatch.setattr(playing, "IN_STEP", 1)
    one_by_one = play_match(RandomPlayer(1), RandomPlayer(1), game, 8, openings, ply_limit=20)
    monkeypatch.setattr(playing, "IN_STEP", 5)
    beside = play_match(RandomPlayer(1), RandomPlayer(1), game, 8, openings, ply_limit=20)
    assert beside == one_by_one
    assert len({played.moves for played in beside.played}) == 8  # the last have the opening of the first


@pytest.mark.slow
def test_no_number_of_engines_at_work_changes_a_game(model: str) -> None:
    """A net that draws lots against an engine."""
    found = []
    for workers in (1, 3):
        us = parse_player(f"{model} temperature=1 seed=4", CHESS)
        them = parse_player(f"uci:{sys.executable} {TELLER} nodes=5", CHESS)
        found.append(
            play_match(us, them, CHESS, 30, random_openings(CHESS, 15), ply_limit=16, workers=workers)
        )
        them.close()
    assert found[0] == found[1]
    assert len({played.moves for played in found[0].played}) == 30


def test_an_illegal_move_loses_and_the_match_goes_on() -> None:
    cheat = Scripted("cheat", "e2e4 e4e6", "e7e5 e5e3")
    result = play_match(cheat, Scripted("fair", "d2d4 a2a3", "d7d5 a7a6"), CHESS, 2, [START])
    assert [played.failed for played in result.played] == [0, 1]
    assert [played.result for played in result.played] == [0.0, 1.0]
    assert "'cheat' failed: e4e6 is not legal in" in result.played[0].reason
    summary = result.summary()
    assert (summary["losses"], summary["crashes"], summary["opponent_crashes"]) == (2, 2, 0)
    assert (summary["elo"], summary["elo_low"]) == (None, None)


def test_the_rules_draw_and_so_does_the_ply_limit() -> None:
    shuffle = "g1f3 f3g1 " * 5, "g8f6 f6g8 " * 5
    drawn = play_match(Scripted("a", *shuffle), Scripted("b", *shuffle), CHESS, 2, [START])
    assert [played.reason for played in drawn.played] == ["the position occurred three times"] * 2
    assert [len(played.moves) for played in drawn.played] == [8, 8]
    cut = play_match(RandomPlayer(1), RandomPlayer(2), CHESS, 2, [START], ply_limit=5)
    assert [(len(played.moves), played.result) for played in cut.played] == [(5, 0.5)] * 2
    assert cut.played[0].reason == "no result after 5 plies"
    assert (drawn.summary()["adjudicated"], cut.summary()["adjudicated"]) == (0, 2)
    assert '[Termination "normal"]' in write_pgn(CHESS, drawn.played[0])
    assert '[Termination "adjudication"]' in write_pgn(CHESS, cut.played[0])


def test_progress_hears_of_every_game() -> None:
    heard: list[MatchResult] = []
    openings = random_openings(CHESS, 3)
    result = play_match(GreedyPlayer(1), RandomPlayer(1), CHESS, 5, openings, progress=heard.append)
    assert heard[-1] == result
    counts = [len(one.played) for one in heard]
    assert counts == sorted(set(counts))
    assert counts[-1] == 5
    assert [played.start for played in result.played] == [openings[number // 2] for number in range(5)]


@pytest.mark.parametrize(
    ("games", "openings", "wanted"),
    [(0, [START], "0 games"), (2, [], "0 openings"), (2, ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], "stalemate")],
)
def test_what_cannot_be_played_is_one_line(games: int, openings: list[str], wanted: str) -> None:
    with pytest.raises(ZeroplyError, match=wanted):
        play_match(RandomPlayer(1), RandomPlayer(2), CHESS, games, openings)


@pytest.mark.slow
def test_a_model_plays_whole_games(model: str) -> None:
    player = parse_player(f"'{model}'", CHESS)
    result = play_match(player, RandomPlayer(1), CHESS, 4, random_openings(CHESS, 2), ply_limit=60)
    assert result.summary()["n"] == 4
    assert all(played.failed is None for played in result.played)


def test_a_match_of_xiangqi(xiangqi_model: str) -> None:
    player = parse_player(xiangqi_model, XIANGQI)
    result = play_match(player, GreedyPlayer(1), XIANGQI, 4, random_openings(XIANGQI, 2), ply_limit=30)
    summary = result.summary()
    assert (summary["game"], summary["n"]) == ("xiangqi", 4)
    assert all(played.failed is None for played in result.played)
    assert len({played.moves for played in result.played}) == 4
