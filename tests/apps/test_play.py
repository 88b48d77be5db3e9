"""Games in the terminal: whole ones of both kinds, through pipes and through a pseudo-terminal."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import chess.pgn
import pytest
from rich.console import Console

from tests.commands import PROGRAM, refused
from tests.players.nets import MaterialNet
from tests.sources import ROOT
from zeroply.apps.duel import Duel
from zeroply.apps.terminal.board import board
from zeroply.apps.terminal.keeping import Keeper
from zeroply.apps.terminal.play import HELP, TerminalGame, console_for_boards
from zeroply.apps.terminal.play import play as play_here
from zeroply.errors import ZeroplyError
from zeroply.games import Game, game_named
from zeroply.games.line import follow
from zeroply.players import player_of
from zeroply.players.load import load_network
from zeroply.players.rules import HELPS
from zeroply.players.simple import GreedyPlayer

CHESS, XIANGQI = game_named("chess"), game_named("xiangqi")
PLAY = [*PROGRAM, "play"]
LADDER = "7k/8/8/8/8/8/R7/1R5K w - - 0 1"
"""White mates by Ra7, to which Kg8 is the only answer, and Rb8."""


def play(*arguments: object, lines: str, code: int = 0) -> str:
    done = subprocess.run(
        [*PLAY, *map(str, arguments)],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


class Talk:
    """A game in this process, between a person who types and a net."""

    def __init__(self, duel: Duel, *lines: str) -> None:
        self.duel, self._said = duel, io.StringIO()
        left: Iterator[str] = iter(lines)

        def ask(prompt: str) -> str:
            self._said.write(prompt)
            for line in left:
                self._said.write(f"{line}\n")
                return line
            raise EOFError

        self.run(ask)

    def run(self, ask: Callable[[str], str]) -> None:
        console = Console(file=self._said, highlight=False, width=80)
        TerminalGame(self.duel, console, ask, Keeper(), letters=True).run()

    @property
    def said(self) -> str:
        return self._said.getvalue()


def duel(game: Game = CHESS, side: int = 0, fen: str | None = None) -> Duel:
    player = player_of(load_network(game.name), name=game.name, helps=HELPS)
    return Duel(player, side, game.start(fen))


def test_a_mate_ends_the_game_with_its_reason() -> None:
    talk = Talk(duel(fen=LADDER), "Ra7", "Rb8")
    assert "chess: 1... Kg8" in talk.said
    assert talk.said.rstrip().endswith("You win: checkmate. 1-0")


def test_commands_and_mistakes() -> None:
    talk = Talk(
        duel(),
        "",
        "e5",
        "jump",
        "pgn",
        "undo",
        "e4",
        "HINT",
        "undo",
        "d2d4",
        "flip",
        "board",
        "fen",
        "help",
        "resign",
        "never read",
    )
    assert "'e5' is not legal in rnbqkbnr" in talk.said
    assert "'jump' is not legal in" in talk.said
    assert "where to? Write: pgn FILE" in talk.said
    assert "there is no move of yours to take back" in talk.said
    assert re.search(r"g1f3 +Nf3 +\d\d\.\d%", talk.said)
    assert re.search(r"win \d+%  draw \d+%  loss \d+% for you", talk.said)
    assert "\n  1  R  N  B  K  Q  B  N  R " in talk.said  # flipped
    assert talk.duel.now.fen() in talk.said
    assert "take back your last move" in talk.said
    assert talk.said.rstrip().endswith("You lose: you resigned. 0-1")
    assert "never read" not in talk.said
    assert talk.duel.plies[0].notation == "d4"


@pytest.mark.parametrize(
    ("game", "typed", "advice"),
    [
        (CHESS, "Nf9", "Write it so: e2e4, Nf3, O-O. Commands: help"),
        (CHESS, "C2.5", "Write it so: e2e4, Nf3, O-O. Commands: help"),
        (XIANGQI, "C2x5", "Write it in WXF or Chinese: C2.5, 炮二平五. Commands: help"),
        (XIANGQI, "Nf3", "Write it in WXF or Chinese: C2.5, 炮二平五. Commands: help"),
        (XIANGQI, "h3e3", "Squares are a0 to i9. Commands: help"),
    ],
)
def test_moves_that_cannot_be_read_get_an_example_of_their_game(game: Game, typed: str, advice: str) -> None:
    assert re.search(rf"'{re.escape(typed)}' is not [^\n]*{re.escape(advice)}", Talk(duel(game), typed).said)


def test_help_and_the_page_about_it_know_all_commands() -> None:
    table = Talk(duel(), "help")
    page = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
    for command, meaning in HELP:
        assert f"`{command}`" in page
        assert re.search(rf"{command} +{meaning}", table.said)
        assert "is not legal" not in Talk(duel(), command.split()[0]).said


def test_who_plays_second_is_answered_first_and_sits_below() -> None:
    talk = Talk(duel(side=1), "quit")
    (first,) = player_of(load_network("chess")).choose([CHESS.start()])
    assert f"chess: 1. {CHESS.start().notation(first)}  (" in talk.said
    assert talk.said.index("  1  R") < talk.said.index("  8  r")
    assert talk.said.rstrip().endswith("1... quit")


def test_a_net_that_expects_nothing_gives_hints_too() -> None:
    for outputs, expects in ((("policy",), False), (("policy", "value"), True)):
        net = Duel(player_of(MaterialNet(*outputs)), 0, CHESS.start())
        assert ("of the points for you" in Talk(net, "hint").said) == expects


def test_a_game_that_is_over_is_told_at_once() -> None:
    assert "You lose: checkmate. 1-0" in Talk(duel(side=1, fen="7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")).said


@pytest.mark.slow
@pytest.mark.parametrize("game", [CHESS, XIANGQI], ids=lambda game: game.name)
@pytest.mark.parametrize("side", [0, 1])
def test_a_whole_game_in_this_process(game: Game, side: int) -> None:
    """The person takes what there is, and writes it as people do."""
    greedy, table = GreedyPlayer(3), duel(game, side)

    class Person(Talk):
        def run(self, ask: Callable[[str], str]) -> None:
            super().run(lambda _: self.duel.now.notation(greedy.choose([self.duel.now])[0]))

    said = Person(table).said
    assert table.over
    assert said.rstrip().splitlines()[-1].startswith(("You win: ", "You lose: ", "A draw: "))
    assert table.now.result() is not None


BOARD = """\
  9 r──h──e──a──k──a──e──h──r
  8 ├──┼──┼──┼──┼──┼──┼──┼──┤
  7 ├──c──┼──┼──┼──┼──┼──c──┤
  6 p──┼──p──┼──p──┼──p──┼──p
  5 ├──┴──┴──┴──┴──┴──┴──┴──┤
  4 ├──┬──┬──┬──┬──┬──┬──┬──┤
  3 P──┼──P──┼──P──┼──P──┼──P
  2 ├──C──┼──┼──C──┼──┼──┼──┤
  1 ├──┼──┼──┼──┼──┼──┼──┼──┤
  0 R──H──E──A──K──A──E──H──R
    a  b  c  d  e  f  g  h  i"""


def test_the_board_of_xiangqi() -> None:
    position = follow(XIANGQI.start(), ["C2.5"])
    drawn = board(XIANGQI, position, position.record()[1][-1], turned=False, characters=False)
    assert [line.rstrip() for line in drawn.plain.splitlines()] == BOARD.splitlines()
    turned = board(XIANGQI, position, None, turned=True, characters=True).plain.splitlines()
    assert turned[0].split() == ["0", "車─馬─相─仕─帥─仕─相─馬─車"]
    assert turned[-2].split() == ["9", "車─馬─象─士─將─士─象─馬─車"]
    assert turned[-1].split() == list("ihgfedcba")


def test_the_last_move_is_marked() -> None:
    position = follow(CHESS.start(), ["e4"])
    drawn = board(CHESS, position, position.record()[1][-1], turned=False, characters=True)
    marked = [span for span in drawn.spans if "c2b04e" in str(span.style)]
    assert [drawn.plain[span.start : span.end] for span in marked] == [" ♟ ", "   "]


def test_a_game_is_kept_once_behind_others(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes('[Event "älter"]\n\n1. d4 *'.encode("latin-1"))
    keeper = Keeper()
    for record in ('[Event "new"]\n\n1. e4 *\n\n', '[Event "new"]\n\n1. e4 e5 *\n\n'):
        keeper.save(path, record)
    wanted = '[Event "älter"]\n\n1. d4 *\n\n[Event "new"]\n\n1. e4 e5 *\n\n'
    assert path.read_text(encoding="latin-1") == wanted
    with pytest.raises(ZeroplyError, match=r"cannot be written: .*games.pgn is no folder"):
        keeper.save(path / "x.pgn", "")


@pytest.mark.parametrize("text", ["hello", "[1, 2]", '{"a": 1}', "a\n1. e4", "\0\1[Event"])
def test_a_file_of_something_else_is_refused_and_left_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "text.onnx"
    path.write_text(text)
    with pytest.raises(
        ZeroplyError, match=r"text\.onnx holds something other than games in PGN\. Choose another"
    ):
        Keeper().save(path, "1. e4 *\n")
    assert path.read_text() == text


@pytest.mark.parametrize("text", ["", " \n", "1. e4 *\n", '% by a program\n[Event "?"]\r\n\r\n1. e4 *'])
def test_a_file_of_games_or_of_nothing_is_taken(tmp_path: Path, text: str) -> None:
    path = tmp_path / "g.pgn"
    path.write_bytes(text.encode())
    Keeper().save(path, "1. d4 *\n")
    assert path.read_bytes() == (text.rstrip() + "\n\n" if text.strip() else "").encode() + b"1. d4 *\n"


def test_who_leaves_before_the_first_move_leaves_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, lines in enumerate((["quit"], ["e4", "undo", "quit"])):
        path, left = tmp_path / f"{number}.pgn", iter(lines)
        monkeypatch.setattr("builtins.input", lambda _, left=left: next(left))
        play_here(Duel(player_of(MaterialNet("policy")), 0, CHESS.start()), path)
        assert not path.exists()
        assert capsys.readouterr().out.endswith("there was no move, so there is no game to keep\n")


@pytest.mark.slow
def test_end_of_input_keeps_the_game(tmp_path: Path) -> None:
    path = tmp_path / "g.pgn"
    said = play("--pgn", path, "--side", "black", "--temperature", 1, "--seed", 3, lines="e5\n")
    assert f"the game is in {path}" in said
    with path.open() as file:
        kept = chess.pgn.read_game(file)
        assert chess.pgn.read_game(file) is None
    assert kept is not None
    assert (kept.headers["Black"], kept.headers["Result"]) == ("you", "*")
    assert len(list(kept.mainline_moves())) >= 1


@pytest.mark.slow
def test_a_whole_game_through_pipes(tmp_path: Path) -> None:
    path = tmp_path / "g.pgn"
    said = play(LADDER, "--pgn", path, lines="a2a7\nnonsense\nRb8\n")
    assert "You win: checkmate. 1-0" in said
    assert "{checkmate}" in path.read_text()
    fen = "3k5/R8/8R/9/9/9/9/9/9/4K4 w - - 0 1"
    said = play(fen, "--game", "xiangqi", "--pgn", path, lines="i7d7\n")
    assert "You win: checkmate. 1-0" in said
    assert path.read_text().count("[Event ") == 2
    assert "1. I7-D7 {checkmate} 1-0" in path.read_text()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
@pytest.mark.parametrize(
    ("game", "first", "piece"),
    [("chess", "Nf3", "♞"), ("xiangqi", "炮二平五", "馬")],
    ids=["chess", "xiangqi"],
)
def test_at_a_terminal_until_ctrl_c(tmp_path: Path, game: str, first: str, piece: str) -> None:
    import pty

    path, (ours, theirs) = tmp_path / "g.pgn", pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "COLUMNS": "80"}
    program = subprocess.Popen(
        [*PLAY, "--game", game, "--pgn", str(path)],
        stdin=theirs,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        seen = read_until(ours, "1. ")
        assert piece in seen
        assert "\x1b[" in seen  # colours
        os.write(ours, f"{first}\n".encode())
        read_until(ours, "2. ")
        program.send_signal(signal.SIGINT)
        assert program.stderr is not None
        complaint = program.stderr.read().decode()
        assert program.wait(20) == 130
    finally:
        program.kill()
        program.wait()
        os.close(ours)
    assert complaint == f"stopped; the game is in {path}\n"
    assert re.search(r"\n1\. \S+ \S+ \*\n", path.read_text())


@pytest.mark.parametrize(
    ("term", "colours"), [("xterm", None), ("linux", None), ("xterm-256color", "256"), ("dumb", None)]
)
def test_sixteen_colours_are_none(monkeypatch: pytest.MonkeyPatch, term: str, colours: str | None) -> None:
    """Light and dark squares would be one grey, and the first player's pieces white on it."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", term)
    for name in ("COLORTERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    assert console_for_boards().color_system == colours


def read_until(terminal: int, text: str) -> str:
    seen, deadline = b"", time.monotonic() + 30
    os.set_blocking(terminal, False)
    while time.monotonic() < deadline:
        try:
            seen += os.read(terminal, 65536)
        except BlockingIOError:
            time.sleep(0.05)
        if re.sub(r"\x1b\[[?\d;]*[a-zA-Z]", "", seen.decode(errors="replace")).endswith(text):
            return seen.decode(errors="replace")
    raise AssertionError(f"no {text!r} in {seen!r}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--side", "green"], "'green' is no side of chess. Known: white, black, random"),
        (["--game", "go"], "unknown game 'go'"),
        (["not a fen"], "'not a fen' is not a chess position"),
        (["--temperature", "-1"], "--temperature -1.0 will not do: it must be from 0 to 100"),
        (["--pgn", "/dev/null/g.pgn"], "/dev/null/g.pgn cannot be written"),
    ],
    ids=str,
)
def test_bad_input_is_one_line(arguments: list[str], part: str) -> None:
    assert part in refused("play", *arguments)
