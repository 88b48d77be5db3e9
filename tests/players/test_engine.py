"""External engines as players."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from zeroply.errors import EngineError
from zeroply.evals.match import play_match
from zeroply.evals.openings import random_openings
from zeroply.games import game_named
from zeroply.players.engine import EnginePlayer, FailedMoveError, Limits, find_engine
from zeroply.players.simple import RandomPlayer

CHESS = game_named("chess")
SCRIPT = str(Path(__file__).parent / "buggy_engine.py")
FAILURES = {
    "illegal": "illegal uci: 'a1a8'",
    "nothing": "gave no move",
    "crash": "exit code: 3",
    "garbage": "no answer within 2 s",
    "silence": "no answer within 2 s",
}


def script(*arguments: str) -> EnginePlayer:
    return EnginePlayer(
        [sys.executable, SCRIPT, *arguments], CHESS, name="buggy", limits=Limits(depth=1), patience=2
    )


@pytest.mark.slow
@pytest.mark.parametrize("how", FAILURES)
def test_a_failure_names_the_engine_the_position_and_the_fault(how: str) -> None:
    player = script(how)
    start = CHESS.start()
    with pytest.raises(FailedMoveError) as caught:
        player.choose([start])
    player.close()
    text = str(caught.value)
    assert "engine 'buggy' failed in" in text
    assert start.fen() in text
    assert FAILURES[how] in text
    assert "\n" not in text


@pytest.mark.slow
@pytest.mark.parametrize("how", FAILURES)
def test_a_failing_engine_loses_its_game_and_the_match_goes_on(how: str) -> None:
    openings = random_openings(CHESS, 2)
    player = script(how, openings[0])
    result = play_match(player, RandomPlayer(3), CHESS, 4, openings, ply_limit=30)
    player.close()
    first, second, third, fourth = result.played
    # Sides change: it fails as White in the first game, as Black in the second.
    assert (first.failed, first.result, second.failed, second.result) == (0, 0.0, 1, 1.0)
    assert FAILURES[how] in first.reason
    assert FAILURES[how] in second.reason
    assert third.failed is fourth.failed is None
    assert len(third.moves) > 2
    summary = result.summary()
    assert (summary["crashes"], summary["opponent_crashes"]) == (2, 0)


def test_moves_before_a_failure_are_kept_and_the_engine_starts_again() -> None:
    bad = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
    player = script("crash", bad)
    with pytest.raises(FailedMoveError) as caught:
        player.choose([CHESS.start(), CHESS.start(bad), CHESS.start()])
    assert caught.value.chosen == [CHESS.moves.number("a2a3")]
    assert player.choose([CHESS.start()]) == [CHESS.moves.number("a2a3")]
    player.close()


@pytest.mark.parametrize("late", [False, True])
def test_an_engine_that_leaves_between_moves_is_noticed(late: bool) -> None:
    player = script("leave")
    move = [CHESS.moves.number("a2a3")]
    assert player.choose([CHESS.start()]) == move
    if late:
        time.sleep(0.5)  # long enough for python-chess to take note of the end before the next question
    with pytest.raises(FailedMoveError, match="engine 'buggy' failed in"):
        player.choose([CHESS.start()])
    assert player.choose([CHESS.start()]) == move
    player.close()


def test_the_engine_is_told_the_moves_that_led_here(tmp_path: Path) -> None:
    position = CHESS.start()
    for name in ("g1f3", "g8f6", "f3g1", "f6g8"):
        position = position.play(CHESS.moves.number(name))
    assert position.record() == (
        CHESS.start().fen(),
        [CHESS.moves.number(name) for name in ("g1f3", "g8f6", "f3g1", "f6g8")],
    )
    player = script("sound", "", str(tmp_path / "log"))
    player.choose([position])
    player.close()
    told = (tmp_path / "log").read_text().splitlines()
    assert "position startpos moves g1f3 g8f6 f3g1 f6g8" in told
    assert "go depth 1" in told


@pytest.mark.parametrize(
    ("command", "options", "wanted"),
    [
        (["no-such-engine"], {}, "there is no engine 'no-such-engine'"),
        ([sys.executable, "-c", "print('hello')"], {}, "cannot be used"),
        ([sys.executable, SCRIPT], {"Hush": "1"}, "Hush"),
        ([sys.executable, SCRIPT], {"Hash": "99"}, "at most 8"),
    ],
)
def test_what_cannot_be_started_is_one_line(command: list[str], options: dict[str, str], wanted: str) -> None:
    with pytest.raises(EngineError, match=wanted) as caught:
        EnginePlayer(command, CHESS, options=options)
    assert "\n" not in str(caught.value)


def test_debians_folder_of_games_is_searched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "some-engine"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setattr("zeroply.players.engine.DEBIAN_GAMES", str(tmp_path))
    assert find_engine("some-engine") == str(program)


@pytest.mark.engine
def test_stockfish_is_better_at_depth_5_than_at_depth_1() -> None:
    deep = EnginePlayer(["stockfish"], CHESS, limits=Limits(depth=5))
    shallow = EnginePlayer(["stockfish"], CHESS, limits=Limits(depth=1))
    result = play_match(deep, shallow, CHESS, 6, random_openings(CHESS, 3)).summary()
    deep.close()
    shallow.close()
    assert result["wins"] > result["losses"]
    assert result["crashes"] == result["opponent_crashes"] == 0
