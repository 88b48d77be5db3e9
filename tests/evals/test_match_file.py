"""A match that is kept in a file: whole games alone, gone on with, and never mixed with another."""

from __future__ import annotations

import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.sources import CHESS, XIANGQI
from zeroply.corpus.readers import read
from zeroply.corpus.score import Score
from zeroply.errors import DiskFullError, ReadError
from zeroply.evals import playing
from zeroply.evals.match import MatchResult, play_match
from zeroply.evals.match_file import MatchFile
from zeroply.evals.openings import random_openings
from zeroply.evals.played import PlayedGame
from zeroply.games import Game
from zeroply.players.simple import RandomPlayer

ENGINE = Path(__file__).parent.parent / "players" / "telling_engine.py"
ABOUT = {"Programs": "none"}


def match(
    path: Path,
    games: int = 8,
    *,
    game: Game = CHESS,
    first: int = 1,
    seed: int = 0,
    about: dict[str, str] = ABOUT,
    stop_after: int = 99,
) -> MatchResult:
    """Two random movers, from openings of `seed`; stopped when so many games have ended."""

    def progress(so_far: MatchResult) -> None:
        if len(so_far.played) >= stop_after:
            raise KeyboardInterrupt

    with MatchFile(path, game, about).opened() as file:
        return play_match(
            RandomPlayer(first, name=f"random {first}"),
            RandomPlayer(2),
            game,
            games,
            random_openings(game, (games + 1) // 2, seed),
            ply_limit=24,
            file=file,
            progress=progress,
        )


@pytest.mark.parametrize("game", [CHESS, XIANGQI], ids=lambda game: str(game.name))
def test_stopped_it_goes_on_and_ends_alike(
    tmp_path: Path, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = match(tmp_path / "whole.pgn", game=game)
    monkeypatch.setattr(playing, "IN_STEP", 3)
    with pytest.raises(KeyboardInterrupt):
        match(tmp_path / "part.pgn", game=game, stop_after=2)
    begun = (tmp_path / "part.pgn").read_text()
    assert 1 <= begun.count("[Event ") < 8
    assert match(tmp_path / "part.pgn", game=game).summary() == whole.summary()
    assert (tmp_path / "part.pgn").read_bytes() == (tmp_path / "whole.pgn").read_bytes()
    again = match(tmp_path / "part.pgn", game=game)
    assert [(one.number, one.moves, one.result, one.reason, one.adjudicated) for one in again.played] == [
        (one.number, one.moves, one.result, one.reason, one.adjudicated) for one in whole.played
    ]


def test_more_games_of_the_same_match_are_added(tmp_path: Path) -> None:
    few = match(tmp_path / "m.pgn", 3)
    more = match(tmp_path / "m.pgn", 8)
    assert [one.moves for one in more.played[:3]] == [one.moves for one in few.played]
    assert more.summary() == match(tmp_path / "other.pgn", 8).summary()
    with pytest.raises(
        ReadError, match=r"m\.pgn holds game 8 of a match, and 3 are asked for\. Ask for as many"
    ):
        match(tmp_path / "m.pgn", 3)


def test_a_longer_match_of_others_is_called_another_one(tmp_path: Path) -> None:
    match(tmp_path / "m.pgn", 8, about={"Programs": "others"})
    with pytest.raises(ReadError, match=r"holds another match: in round 1\.1 Programs is 'others', not"):
        match(tmp_path / "m.pgn", 3)


@pytest.mark.parametrize("cut", [1, 2, 30, 200])
def test_a_game_that_was_cut_off_is_played_again(tmp_path: Path, cut: int) -> None:
    whole = match(tmp_path / "m.pgn", 4)
    text = (tmp_path / "m.pgn").read_bytes()
    (tmp_path / "m.pgn").write_bytes(text[:-cut])
    assert match(tmp_path / "m.pgn", 4).summary() == whole.summary()
    assert (tmp_path / "m.pgn").read_bytes() == text


def test_a_match_begun_before_files_told_of_programs_goes_on(tmp_path: Path) -> None:
    whole = match(tmp_path / "m.pgn", 4)
    match(tmp_path / "old.pgn", 2)
    old = re.sub(r"\[(White|Black)Type .*\n", "", (tmp_path / "old.pgn").read_text())
    (tmp_path / "old.pgn").write_text(old)
    assert match(tmp_path / "old.pgn", 4).summary() == whole.summary()
    text = (tmp_path / "old.pgn").read_text()
    assert text.startswith(old)
    assert text.count('Type "program"') == 4


def test_another_match_is_refused_in_one_line_and_left_alone(tmp_path: Path) -> None:
    match(tmp_path / "m.pgn", 4)
    text = (tmp_path / "m.pgn").read_bytes()
    with pytest.raises(ReadError, match=r"in round 1\.1 White is 'random 1', not 'random 3'"):
        match(tmp_path / "m.pgn", 4, first=3)
    with pytest.raises(ReadError, match=r"in round 1\.1 FEN is"):
        match(tmp_path / "m.pgn", 4, seed=5)
    with pytest.raises(ReadError, match="Programs is 'none', not 'newer'"):
        match(tmp_path / "m.pgn", 4, about={"Programs": "newer"})
    assert (tmp_path / "m.pgn").read_bytes() == text


OTHERS = '[Event "?"]\n[Round "{}"]\n[Result "1-0"]\n\n1. e4 1-0\n\n'


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("hello\n", "something else than games of a match"),
        (OTHERS.format("-"), "games that no match wrote"),
        (OTHERS.format("1.1"), "games that no match wrote"),
        ("\xff\n\n[a]\n\n", "something else than text"),
    ],
)
def test_what_is_no_match_is_refused_and_left_alone(tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / "m.pgn").write_bytes(text.encode("latin-1"))
    wanted = rf"m\.pgn was not made by this match: it holds {what}\. Give --pgn another file$"
    with pytest.raises(ReadError, match=wanted):
        match(tmp_path / "m.pgn", 4)
    assert (tmp_path / "m.pgn").read_bytes() == text.encode("latin-1")


def test_a_file_in_use_is_refused(tmp_path: Path) -> None:
    with (
        MatchFile(tmp_path / "m.pgn", CHESS, ABOUT).opened(),
        pytest.raises(ReadError, match=r"m\.pgn is in use"),
    ):
        match(tmp_path / "m.pgn", 4)


def test_a_failure_is_read_back_with_its_reason(tmp_path: Path) -> None:
    reason = "engine '/a/very/long/path/" + "x" * 90 + "' failed in 8/8/8 w - - 0 1: no answer within 2 s"
    start = CHESS.start().fen()
    failed = PlayedGame(
        number=1, start=start, players=("b", "a"), moves=(), result=1.0, reason=reason, failed=1
    )
    a, b = RandomPlayer(1, name="a"), RandomPlayer(2, name="b")
    with MatchFile(tmp_path / "m.pgn", CHESS, ABOUT).opened() as file:
        file.add(failed)
    with MatchFile(tmp_path / "m.pgn", CHESS, ABOUT).opened() as file:
        found = play_match(a, b, CHESS, 2, [start], ply_limit=20, file=file)
    assert found.played[1] == failed
    summary = found.summary()
    assert (summary["crashes"], summary["opponent_crashes"], summary["first_crash"]) == (1, 0, reason)


def test_a_game_that_does_not_fit_is_told(tmp_path: Path) -> None:
    """The disk takes a part of what is written, and the rest not."""
    path, size = tmp_path / "m.pgn", 64 * 2**20
    played = match(tmp_path / "other.pgn", 1).played[0]
    with path.open("wb") as file:
        file.truncate(size - 50)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        with pytest.raises(DiskFullError, match=r"no room for .*m\.pgn"):
            MatchFile(path, CHESS, ABOUT).add(played)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.slow
def test_killed_it_leaves_whole_games_and_goes_on_with_any_number_of_workers(tmp_path: Path) -> None:
    # Drawn after fifty moves without a capture, of which many were made before.
    lines = [f"4k3/8/8/8/8/8/7R/4K3 w - - {clock} 80\n" for clock in range(84, 98)]
    (tmp_path / "openings.fen").write_text("".join(lines))

    def command(out: str, workers: int) -> list[str]:
        engine = f"uci:{sys.executable} {ENGINE} slow nodes=5"
        words = ["-m", "zeroply", "eval", "match", engine, "random", "--games", "28"]
        options = ["--openings", str(tmp_path / "openings.fen"), "--workers", str(workers)]
        return [sys.executable, *words, *options, "--pgn", str(tmp_path / out)]

    part = tmp_path / "part.pgn"
    running = subprocess.Popen(command("part.pgn", 2), start_new_session=True)
    while running.poll() is None and not (part.exists() and part.stat().st_size):
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL
    left = list(read(part, CHESS))
    assert 1 <= len(left) < 28
    assert all(isinstance(item, Score) for item in left)
    for out, workers in (("part.pgn", 3), ("whole.pgn", 1)):
        done = subprocess.run(command(out, workers), check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert part.read_bytes() == (tmp_path / "whole.pgn").read_bytes()
