"""A game at the terminal: lines in, boards out. What is wrong is said in one line, and asked again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from zeroply.apps.duel import Duel
from zeroply.apps.terminal.board import board
from zeroply.apps.terminal.keeping import Keeper
from zeroply.errors import StoppedError, ZeroplyError
from zeroply.games.notation import RESULTS

HINTS = 5
"""Moves that `hint` shows."""
HELP = (
    ("undo", "take back your last move, and the answer to it"),
    ("hint", "what the net would play here, with probabilities"),
    ("flip", "turn the board"),
    ("board", "draw it again"),
    ("fen", "the position as a FEN"),
    ("pgn FILE", "save the game so far"),
    ("resign", "give up"),
    ("quit", "leave; so do Ctrl-D and Ctrl-C"),
)


def play(duel: Duel, pgn: Path | None, *, letters: bool = False) -> None:
    """At standard input and output. The game is kept in `pgn` however it ends, Ctrl-C among the ways, if a
    move was made."""
    with suppress(ImportError):  # not everywhere
        import readline  # noqa: F401 (lines can be edited and recalled from then on)
    keeper = Keeper()
    if pgn is not None:
        keeper.check(pgn)  # before a game is lost
    game = TerminalGame(duel, console_for_boards(), input, keeper, letters=letters)
    try:
        game.run()
    except KeyboardInterrupt:
        raise StoppedError(_kept(duel, pgn)) from None
    finally:
        if pgn is not None and duel.plies:
            keeper.save(pgn, duel.record())
    if pgn is not None:
        print(_kept(duel, pgn))


def console_for_boards() -> Console:
    """Sixteen colours are too few for squares and pieces that show on them: then there are none."""
    console = Console(highlight=False)
    return Console(highlight=False, color_system=None) if console.color_system == "standard" else console


def _kept(duel: Duel, pgn: Path | None) -> str:
    if not duel.plies:
        return "there was no move, so there is no game to keep"
    return f"the game is in {pgn}" if pgn is not None else "the game was not kept: --pgn FILE does that"


class TerminalGame:
    """`ask` is given a prompt and returns a line, or raises EOFError where there are no more."""

    def __init__(
        self, duel: Duel, console: Console, ask: Callable[[str], str], keeper: Keeper, *, letters: bool
    ) -> None:
        self._duel, self._console, self._ask, self._keeper = duel, console, ask, keeper
        self._turned = duel.side == 1
        self._characters = not letters and console.color_system is not None
        self._commands: dict[str, Callable[[str], None]] = {
            "undo": self._undo,
            "hint": self._hint,
            "flip": self._flip,
            "board": lambda _: self._show(),
            "fen": lambda _: self._say(self._duel.now.fen()),
            "pgn": self._pgn,
            "resign": lambda _: self._duel.resign(),
            "help": self._help,
        }

    def run(self) -> None:
        """Until the game is over or the person leaves."""
        duel = self._duel
        you, net = duel.game.sides[duel.side], duel.player.name
        self._say(f"You are {you} against {net}. Type a move, or help.")
        if duel.now.turn == duel.side or duel.over:
            self._show()
        while not duel.over:
            if duel.awaits_net:
                self._answer()
                continue
            try:
                line = self._ask(f"{self._number()} ").strip()
            except EOFError:
                self._say("")
                return
            if line == "quit":
                return
            try:
                self._obey(line)
            except ZeroplyError as error:
                self._say(str(error))
        self._say(self._ending())

    def _obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word.lower() in self._commands:
            self._commands[word.lower()](rest.strip())
        elif line:
            try:
                move = self._duel.now.number(line)
            except ZeroplyError as error:
                raise ZeroplyError(f"{error}. Commands: help") from None
            self._duel.play(move)
            if self._duel.over:
                self._show()

    def _answer(self) -> None:
        number, glance = self._number(), self._duel.reply()
        ply = self._duel.plies[-1]
        share = float(glance.probabilities[glance.moves == ply.move][0])
        self._show()
        self._say(f"{self._duel.player.name}: {number} {ply.notation}  ({share:.0%})")

    def _number(self) -> str:
        """Of the move that comes next, as records have it: 3. or 3..."""
        now = self._duel.now
        return f"{now.ply // 2 + 1}{'...' if now.turn else '.'}"

    def _undo(self, _: str) -> None:
        self._duel.undo()
        self._show()

    def _flip(self, _: str) -> None:
        self._turned = not self._turned
        self._show()

    def _hint(self, _: str) -> None:
        duel = self._duel
        (glance,) = duel.player.glance([duel.now])
        rows = Table(show_header=False, box=None)
        for move, share in zip(glance.moves[:HINTS].tolist(), glance.probabilities.tolist(), strict=False):
            rows.add_row(duel.game.moves.names[move], Text(duel.now.notation(move)), f"{share:.1%}")
        self._console.print(rows)
        if glance.wdl is not None:
            win, draw, loss = glance.wdl
            self._say(f"win {win:.0%}  draw {draw:.0%}  loss {loss:.0%} for you")
        elif glance.expected is not None:
            self._say(f"{glance.expected:.0%} of the points for you")

    def _pgn(self, name: str) -> None:
        if not name:
            raise ZeroplyError("where to? Write: pgn FILE")
        self._keeper.save(Path(name).expanduser(), self._duel.record())
        self._say(f"saved in {name}")

    def _help(self, _: str) -> None:
        now, names = self._duel.now, self._duel.game.moves.names
        first = int(now.legal()[0])
        rows = Table(show_header=False, box=None)
        rows.add_row(f"{names[first]}, {now.notation(first)} …", "a move")
        for command, meaning in HELP:
            rows.add_row(command, meaning)
        self._console.print(rows)

    def _ending(self) -> str:
        duel, points = self._duel, self._duel.points()
        if points is None:
            return ""
        own = points if duel.side == 0 else 1 - points
        who = "You win" if own == 1 else "You lose" if own == 0 else "A draw"
        return f"{who}: {duel.reason()}. {RESULTS[points]}"

    def _show(self) -> None:
        duel = self._duel
        last = duel.plies[-1].move if duel.plies else None
        drawn = board(duel.game, duel.now, last, turned=self._turned, characters=self._characters)
        self._console.print("", drawn, sep="\n")
        if duel.now.in_check() and not duel.over:
            self._say("Check!")

    def _say(self, line: str) -> None:
        self._console.print(Text(line), soft_wrap=True)
