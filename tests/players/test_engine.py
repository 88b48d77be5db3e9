"""External engines as players."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from zeroply.errors import EngineError
from zeroply.evals.match import play_match
from zeroply.evals.openings import random_openings
from zeroply.games import Game, game_named
from zeroply.players.conversation import Conversation
from zeroply.players.dialects import UCCI, UCI, Dialect
from zeroply.players.engine import EnginePlayer
from zeroply.players.process import Process
from zeroply.players.program import Limits, find_engine
from zeroply.players.simple import RandomPlayer

pytestmark = pytest.mark.usefixtures("unhurried_greetings")
CHESS, XIANGQI = game_named("chess"), game_named("xiangqi")
SCRIPT = str(Path(__file__).parent / "buggy_engine.py")
FAILURES = {
    "illegal": "illegal uci: 'a1a8'",
    "nothing": "gave no move",
    "crash": "exit code: 3",
    "garbage": "no answer within 2",
    "silence": "no answer within 2",
    "endless": "no answer within 2",
}
LANGUAGES = [(CHESS, UCI), (XIANGQI, UCI), (XIANGQI, UCCI)]


def script(*arguments: str, game: Game = CHESS, dialect: Dialect = UCI, patience: float = 2) -> EnginePlayer:
    command = [sys.executable, SCRIPT, *arguments]
    limits = Limits(depth=1)
    return EnginePlayer(command, game, dialect=dialect, name="buggy", limits=limits, patience=patience)


def language(case: object) -> str:
    return str(getattr(case, "name", "told"))


@pytest.mark.slow
@pytest.mark.parametrize("how", [*FAILURES, "nobestmove"])
@pytest.mark.parametrize(("game", "dialect"), LANGUAGES, ids=language)
def test_a_failure_names_the_engine_the_position_and_the_fault(
    how: str, game: Game, dialect: Dialect
) -> None:
    player = script(how, game=game, dialect=dialect)
    start = game.start()
    with pytest.raises(EngineError) as caught:
        player.choose([start])
    player.close()
    text = str(caught.value)
    assert "engine 'buggy' failed in" in text
    assert start.fen() in text
    assert FAILURES.get(how, "gave no move").replace("uci", dialect.name) in text
    assert "\n" not in text


@pytest.mark.slow
@pytest.mark.parametrize("how", FAILURES)
@pytest.mark.parametrize(("game", "dialect"), [(CHESS, UCI), (XIANGQI, UCCI)], ids=language)
def test_a_failing_engine_loses_its_game_and_the_match_goes_on(
    how: str, game: Game, dialect: Dialect
) -> None:
    openings = random_openings(game, 2)
    player = script(how, openings[0], game=game, dialect=dialect)
    result = play_match(player, RandomPlayer(3), game, 4, openings, ply_limit=30, workers=2)
    player.close()
    first, second, third, fourth = result.played
    # Sides change: it fails as White in the first game, as Black in the second.
    assert (first.failed, first.result, second.failed, second.result) == (0, 0.0, 1, 1.0)
    for played in (first, second):
        assert FAILURES[how].replace("uci", dialect.name) in played.reason
    assert third.failed is fourth.failed is None
    assert len(third.moves) > 2
    summary = result.summary()
    assert (summary["crashes"], summary["opponent_crashes"]) == (2, 0)
    assert summary["first_crash"] == first.reason


@pytest.mark.parametrize("dialect", [UCI, UCCI], ids=language)
def test_an_engine_that_counts_ranks_otherwise_is_caught_at_once(dialect: Dialect) -> None:
    player = script("ranks", game=XIANGQI, dialect=dialect)
    with pytest.raises(EngineError, match=f"illegal {dialect.name}: 'a"):
        player.choose([XIANGQI.start()])
    player.close()


def test_a_flood_is_waded_through_and_a_late_answer_is_not_the_next_one() -> None:
    for how in ("flood", "twice"):
        player = script(how)
        assert player.choose([CHESS.start()] * 3) == [CHESS.moves.number("a2a3")] * 3
        player.close()


@pytest.mark.parametrize("dialect", [UCI, UCCI], ids=language)
def test_a_remark_behind_an_answer_does_not_hold_it_back(dialect: Dialect) -> None:
    """Both come in one piece: the greeting, and the move."""
    player = script("remark", game=XIANGQI, dialect=dialect)
    assert player.choose([XIANGQI.start()] * 2) == [XIANGQI.start().legal()[0]] * 2
    player.close()


@pytest.mark.slow
def test_patience_is_with_silence_not_with_thinking() -> None:
    player = script("thinks", patience=1.2)
    assert player.choose([CHESS.start()]) == [CHESS.moves.number("a2a3")]
    player.close()


@pytest.mark.slow
def test_no_engine_thinks_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zeroply.players.process.LONGEST", 2)
    player = script("ponders", patience=1.5)
    with pytest.raises(EngineError, match="no answer within 3 s"):
        player.choose([CHESS.start()])
    player.close()


def test_after_a_failure_the_engine_starts_again() -> None:
    bad = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
    player = script("crash", bad)
    with pytest.raises(EngineError, match="exit code: 3"):
        player.choose([CHESS.start(), CHESS.start(bad), CHESS.start()])
    assert player.choose([CHESS.start()]) == [CHESS.moves.number("a2a3")]
    player.close()


@pytest.mark.slow
@pytest.mark.parametrize("late", [False, True])
def test_an_engine_that_leaves_between_moves_is_noticed(late: bool) -> None:
    player = script("leave")
    move = [CHESS.moves.number("a2a3")]
    assert player.choose([CHESS.start()]) == move
    if late:
        time.sleep(0.5)  # long enough for its end to be known before the next question
    with pytest.raises(EngineError, match="engine 'buggy' failed in"):
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
    ("dialect", "wanted"),
    [
        (
            UCI,
            [
                "uci",
                "setoption name UCI_Variant value xiangqi",
                "setoption name Style value risky",
                "isready",
                "ucinewgame",
                "isready",
                "position startpos moves h3e3 h10g8",
                "go depth 1",
            ],
        ),
        (
            UCCI,
            [
                "ucci",
                "setoption UCI_Variant xiangqi",
                "setoption Style risky",
                "isready",
                "uccinewgame",
                "isready",
                "position startpos moves h2e2 h9g7",
                "go depth 1",
            ],
        ),
    ],
    ids=language,
)
def test_what_an_engine_of_xiangqi_is_told(tmp_path: Path, dialect: Dialect, wanted: list[str]) -> None:
    position = XIANGQI.start()
    for name in ("h2e2", "h9g7"):
        position = position.play(XIANGQI.moves.number(name))
    player = EnginePlayer(
        [sys.executable, SCRIPT, "sound", "", str(tmp_path / "log")],
        XIANGQI,
        dialect=dialect,
        limits=Limits(depth=1),
        options={"style": "Risky"},
    )
    assert player.choose([position]) == [position.legal()[0]]
    player.close()
    assert (tmp_path / "log").read_text().splitlines() == [*wanted, "quit"]


def test_ucci_has_clocks_alone() -> None:
    limits = {"depth": 3, "nodes": 7, "movetime": 1500}
    assert UCCI.go(limits, {"usemillisec"}) == "go depth 3 nodes 7 time 1500 movestogo 1"
    assert UCCI.go(limits, {"hash"}) == "go depth 3 nodes 7 time 2 movestogo 1"
    assert UCCI.go({"movetime": 50}, ()) == "go time 1 movestogo 1"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("millisec", ["setoption UseMilliSec true", "go time 200 movestogo 1"]),
        ("plain", ["go time 1 movestogo 1"]),
    ],
)
def test_ucci_counts_seconds_unless_the_engine_can_be_told(tmp_path: Path, how: str, told: list[str]) -> None:
    command = [sys.executable, SCRIPT, how, "", str(tmp_path / "log")]
    player = EnginePlayer(command, XIANGQI, dialect=UCCI, limits=Limits(movetime=200))
    player.choose([XIANGQI.start()])
    player.close()
    heard = (tmp_path / "log").read_text().splitlines()
    assert [line for line in heard if line.startswith(("setoption Use", "go"))] == told
    with pytest.raises(EngineError, match="'usemillisec' is not for players to set"):
        EnginePlayer(command, XIANGQI, dialect=UCCI, options={"usemillisec": "false"})


def test_a_chess_engine_is_not_asked_for_xiangqi() -> None:
    with pytest.raises(EngineError, match="cannot be used: it does not play xiangqi"):
        script("plain", game=XIANGQI)
    plain = script("plain", game=XIANGQI, dialect=UCCI)
    assert plain.choose([XIANGQI.start()]) == [XIANGQI.start().legal()[0]]
    plain.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "options", "wanted"),
    [
        (["no-such-engine"], {}, "there is no engine 'no-such-engine'"),
        ([__file__], {}, "is no program that you may run. Make it one: chmod"),
        ([sys.executable, "-c", "print('hello')"], {}, "cannot be used"),
        ([sys.executable, SCRIPT], {"Hush": "1"}, "it has no option 'Hush', but 'Hash'"),
        ([sys.executable, SCRIPT], {"Foo": "1"}, "it has no option 'Foo'. It has Hash, Style. Check"),
        ([sys.executable, SCRIPT], {"Hash": "99"}, "at most 8"),
        ([sys.executable, SCRIPT], {"Style": "wild"}, "combo option 'Style': .*one of solid, risky"),
        ([sys.executable, SCRIPT], {"UCI_Variant": "chess"}, "not for players to set"),
    ],
)
def test_what_cannot_be_started_is_one_line(command: list[str], options: dict[str, str], wanted: str) -> None:
    with pytest.raises(EngineError, match=wanted) as caught:
        EnginePlayer(command, CHESS, options=options)
    assert "\n" not in str(caught.value)


def test_of_many_options_a_few_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zeroply.players.conversation.SHOWN", 1)
    with pytest.raises(EngineError, match=r"It has Hash and 1 more\. Check"):
        EnginePlayer([sys.executable, SCRIPT], CHESS, options={"Foo": "1"})


DEAF = (
    "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); "
    "print('uciok', 'readyok', sep=chr(10), flush=True); time.sleep(1000)"
)


def wait_for_end(process: int) -> None:
    """Fails if it lives on. One whose parent is gone is a zombie until somebody takes note of its end."""
    state = Path(f"/proc/{process}/stat")
    for _ in range(100):
        if not state.exists() or ") Z " in state.read_text():
            return
        time.sleep(0.1)
    pytest.fail(f"{process} lives")


@pytest.mark.slow
@pytest.mark.parametrize(
    "wrapper", ["", '"$@"; exit 3', 'exec 3<&0; "$@" <&3 & exit 3'], ids=["itself", "waits", "leaves"]
)
def test_an_engine_that_will_not_quit_is_killed(tmp_path: Path, wrapper: str) -> None:
    """And so is one behind a shell's script, whether that is still there or not."""
    command = [sys.executable, "-c", DEAF, str(tmp_path / "pid")]
    if wrapper:
        command = ["sh", "-c", wrapper, "sh", *command]
    player = EnginePlayer(command, CHESS, patience=1.5)
    with pytest.raises(EngineError):
        player.choose([CHESS.start()])
    process = int((tmp_path / "pid").read_text())
    wait_for_end(process)


@pytest.mark.slow
def test_ctrl_c_on_a_terminal_does_not_reach_an_engine(tmp_path: Path) -> None:
    player = EnginePlayer([sys.executable, "-c", DEAF, str(tmp_path / "pid")], CHESS)
    process = int((tmp_path / "pid").read_text())
    assert os.getsid(process) == os.getpgid(process) == process != os.getsid(0)
    player.close()


@pytest.mark.slow
def test_ctrl_c_while_an_engine_introduces_itself_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        while not (tmp_path / "pid").exists():
            time.sleep(0.02)
        raise KeyboardInterrupt

    monkeypatch.setattr(Conversation, "_introduce", interrupted)
    with pytest.raises(KeyboardInterrupt):
        EnginePlayer([sys.executable, "-c", DEAF, str(tmp_path / "pid")], CHESS)
    wait_for_end(int((tmp_path / "pid").read_text()))


@pytest.mark.slow
@pytest.mark.parametrize("error", [ProcessLookupError, PermissionError])
def test_who_is_gone_already_needs_no_end(monkeypatch: pytest.MonkeyPatch, error: type[OSError]) -> None:
    """A group of zombies may not be signalled on macOS."""
    process = Process([sys.executable, "-c", "import time; time.sleep(1.5)"])

    def refused(*_: int) -> None:
        raise error

    monkeypatch.setattr(os, "killpg", refused)
    process.close()


@pytest.mark.slow
@pytest.mark.parametrize("greets", [True, False], ids=["deaf", "silent from the start"])
@pytest.mark.parametrize("deadly", [signal.SIGINT, signal.SIGKILL])
def test_engines_of_worker_processes_end_with_the_command(
    tmp_path: Path, deadly: signal.Signals, greets: bool
) -> None:
    """Even those that do not hear that nobody talks to them any more, or that have not said a word yet."""
    engine, fens, engines = tmp_path / "deaf.py", tmp_path / "fens.txt", tmp_path / "engines"
    own = DEAF.replace("sys.argv[1]", "f'{sys.argv[1]}/{os.getpid()}'")
    if not greets:  # but for the first one
        own = own.replace("print(", "len(os.listdir(sys.argv[1])) > 1 and time.sleep(1000); print(")
    engine.write_text(own)
    fens.write_text("\n".join([f"4k3/8/8/8/8/8/8/R3K3 w - - 0 {move}" for move in range(1, 200)]))
    engines.mkdir()
    words = ["data", "label", str(fens), str(tmp_path / "out"), "--nodes", "5", "--workers", "2"]
    told = ["--engine", f"{sys.executable} {engine} {engines}"]
    running = subprocess.Popen([sys.executable, "-m", "zeroply", *words, *told], start_new_session=True)
    while (
        len(list(engines.iterdir())) < 3 and running.poll() is None
    ):  # the first one was tried by the command
        time.sleep(0.05)
    (os.killpg if deadly is signal.SIGINT else os.kill)(running.pid, deadly)
    assert running.wait(30) == (130 if deadly is signal.SIGINT else -signal.SIGKILL)
    for process in engines.iterdir():
        wait_for_end(int(process.name))


def test_debians_folder_of_games_is_searched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "some-engine"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setattr("zeroply.players.program.DEBIAN_GAMES", str(tmp_path))
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


@pytest.mark.engine("fairy-stockfish")
def test_a_whole_game_of_uci_against_ucci() -> None:
    """One rank too high or too low is often a legal move, but not for a whole game."""
    one = EnginePlayer(["fairy-stockfish"], XIANGQI, limits=Limits(depth=2))
    other = EnginePlayer(["fairy-stockfish"], XIANGQI, dialect=UCCI, limits=Limits(nodes=300))
    result = play_match(one, other, XIANGQI, 2, random_openings(XIANGQI, 1, seed=4))
    one.close()
    other.close()
    for played in result.played:
        assert played.failed is None
        assert len(played.moves) > 20
