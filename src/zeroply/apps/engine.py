"""A model as an engine: what the UCI and the UCCI front end share. Text here, move numbers behind.

One look at the board costs milliseconds, so `go` answers at once whatever its limits, unless it is asked to
take a person's time; and nothing runs while the next command is read.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from threading import Lock
from typing import TextIO

import numpy as np

from zeroply import __version__
from zeroply.apps import settings
from zeroply.apps.go_words import flaw_in_go
from zeroply.apps.held import Held
from zeroply.apps.lines import lines_about
from zeroply.artefacts import bundled
from zeroply.errors import PositionError, ZeroplyError
from zeroply.games import Position
from zeroply.games.line import follow
from zeroply.players import NetPlayer
from zeroply.players.base import Network
from zeroply.players.dialects import Dialect, moves_among
from zeroply.players.load import load_network
from zeroply.players.options import Option, Value

IGNORED = frozenset({"debug", "register"})
"""Commands that change nothing here."""
MOST_CHARACTERS = 400
"""Of a remark: it may quote what was said, however long that was."""


def run(engine: Engine, lines: Iterable[str] | None = None) -> None:
    """Answer commands until `quit` or the end of `lines`; by default those of standard input."""
    if lines is None:
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        lines = sys.stdin
    try:
        for line in lines:
            if not engine.obey(line):
                return
        engine.obey("stop")  # nobody will say it any more
    except BrokenPipeError:
        return  # the program at the other end is gone


class Engine:
    """What lasts from one command to the next: the options, the model once it is needed, the position."""

    def __init__(
        self,
        model: str,
        dialect: Dialect,
        out: TextIO | None = None,
        *,
        more_options: Mapping[str, Option] = {},
    ) -> None:
        self._dialect, self._out = dialect, out or sys.stdout
        self._common = {**settings.options(model), **more_options}
        self._options = self._common
        """With those of the model, once it is loaded."""
        self._values: dict[str, Value] = {name: option.default for name, option in self._options.items()}
        self._network: Network | None = None
        self._player: NetPlayer | None = None
        self._told = ["startpos"]
        """The words behind the last `position`."""
        self._line: tuple[list[str], list[str]] = ([], [])
        """Start and moves of the position, as they were given."""
        self._now: Position | None = None
        """None until the model is loaded, which knows the game, and after a position that made no sense."""
        self._banned: list[int] = []
        """Moves that the program that asks would not have played in this position."""
        self._held = Held(self._say)
        """An answer to `go infinite` or `go ponder`, or one that takes its time."""
        self._speaking = Lock()
        self._random = np.random.default_rng()
        self._commands: dict[str, Callable[[list[str]], None]] = {
            self._dialect.name: self._greet,
            "isready": self._isready,
            "setoption": self._setoption,
            "ucinewgame": self._new_game,
            "uccinewgame": self._new_game,
            "position": self._position,
            "banmoves": self._ban,
            "go": self._go,
            "stop": lambda _: self._held.release(),
            "ponderhit": lambda _: self._held.release(),
            "probe": lambda _: self._say("pophash"),  # there is no table of positions to look into
            "quit": self._quit,
        }

    def obey(self, line: str) -> bool:
        """Carry out one command; False after `quit`."""
        command, *rest = line.split() or [""]
        try:
            if command in self._commands:
                self._commands[command](rest)
            elif command and command not in IGNORED:
                self._remark(f"unknown command '{command}'")
        except BrokenPipeError:
            raise
        except Exception as error:  # whatever it is: a program that ends has lost its game
            self._complain(error)
            if command == "go":
                self._say(self._dialect.no_move)
        return command != "quit"

    def _greet(self, _: list[str]) -> None:
        with suppress(Exception):  # `isready` will tell
            self._load()
        self._say(f"id name zeroply {__version__}")
        self._say("id author the zeroply authors")
        for name, option in self._options.items():
            self._say(self._dialect.declare(name, option.declared()))
        self._say(f"{self._dialect.name}ok")

    def _isready(self, _: list[str]) -> None:
        try:
            self._load()
        except Exception as error:  # as above; readyok must come
            self._complain(error)
        self._say("readyok")

    def _setoption(self, words: list[str]) -> None:
        wanted, text = self._dialect.read_setting(words)
        if settings.named(self._common, wanted) is None:
            with suppress(Exception):  # `isready` will tell
                self._load()
        name, value = settings.read(self._options, wanted, text)
        self._values[name] = value
        self._player = None
        if name == "Threads" and self._network is not None:
            self._network = self._open()
        if (
            name == settings.VARIANT
            and self._network is not None
            and self._values[name] != self._network.game.name
        ):
            self._values["Model"] = self._values[name]  # the bundled net of that game has its name
            self._forget_model()
        if name == "Model":
            self._forget_model()
            self._load()  # at once, so that whoever sets a wrong one hears of it

    def _new_game(self, _: list[str]) -> None:
        self._player = None  # with the same seed it will play the same game

    def _position(self, words: list[str]) -> None:
        self._told, game = words, self._load().game
        at = words.index("moves") if "moves" in words else len(words)
        start, names = words[:at], words[at + 1 :]
        line, now = self._line, self._now
        # A position that makes no sense must not leave an older one to be answered for.
        self._now, self._banned = None, []
        if start[:1] not in (["startpos"], ["fen"]):
            raise PositionError(f"'{' '.join(words)}' is not a position: startpos or fen … [moves …]")
        if now is None or start != line[0] or names[: len(line[1])] != line[1]:
            now, line = game.start(None if start[0] == "startpos" else " ".join(start[1:])), (start, [])
        known = len(line[1])
        number = self._dialect.number
        now = follow(now, names[known:], lambda _, text: number(game, text), before=known)
        self._line, self._now = (start, names), now

    def _ban(self, words: list[str]) -> None:
        game = self._load().game
        self._banned = [self._dialect.number(game, word) for word in words]

    def _go(self, words: list[str]) -> None:
        self._held.release()  # each `go` is answered, also one that nobody stopped
        network = self._load()
        if (flaw := flaw_in_go(self._dialect, network.game, words)) is not None:
            self._remark(flaw)  # and what is left of the command is obeyed
        if self._now is None:
            raise PositionError("there is no position to look at. Give one: position startpos")
        if len(self._now.legal()) == 0:
            self._say(*self._dialect.over(lost=self._now.result() != 0.5), self._dialect.no_move)
            return
        if self._player is None:
            self._player = settings.player(network, self._values, self._now.ply)
        glance = self._player.glance([self._now])[0]
        if "searchmoves" in words:
            named = words[words.index("searchmoves") + 1 :]
            wanted = moves_among(self._dialect, network.game, named)
            among = np.isin(glance.moves, wanted)
            if wanted and not among.any():
                self._remark("none of the moves behind searchmoves is legal here: all legal ones count")
            glance = glance.only(among)
        glance = glance.only(~np.isin(glance.moves, self._banned))
        move = self._player.pick(self._now, glance)
        self._say(*lines_about(self._dialect, network.game, self._now, glance, move, self._values))
        best = f"bestmove {self._dialect.text(network.game, move)}"
        if "infinite" in words or "ponder" in words:
            self._held.hold(best)  # the protocol wants it only when the program says stop
            return
        clock = self._dialect.clock(words, self._now.turn, self._values)
        seconds = settings.pause(self._values, clock, glance, self._random)
        if seconds is None:
            self._say(best)
        else:
            self._held.hold(best, seconds)

    def _quit(self, _: list[str]) -> None:
        self._held.drop()
        self._say(*self._dialect.farewell)

    def _load(self) -> Network:
        if self._network is None:
            self._network = network = self._open()
            self._options = {**self._common, **settings.options_of(network, self._games())}
            self._values = {
                name: self._values.get(name, option.default) for name, option in self._options.items()
            }
            self._values[settings.VARIANT] = network.game.name
            with suppress(ZeroplyError):  # `go` will tell that there is none: it may be of another game
                self._position(self._told)
        return self._network

    def _open(self) -> Network:
        model = str(self._values["Model"])
        network = load_network(model, threads=settings.threads(self._values))
        plays, wanted = network.game.name, self._dialect.only
        if wanted not in (None, plays):
            raise ZeroplyError(f"the model '{model}' plays {plays}, and this protocol is for {wanted}")
        return network

    def _forget_model(self) -> None:
        self._network = self._now = None
        self._options = self._common

    def _games(self) -> Collection[str]:
        """Games that a program may ask for instead: of bundled nets, where it names none of its own."""
        return bundled() if self._values["Model"] in bundled() and self._dialect.only is None else ()

    def _complain(self, error: Exception) -> None:
        known = isinstance(error, ZeroplyError)  # such a line says all; others mean little without a name
        self._remark(str(error) if known else f"{type(error).__name__}: {error}")

    def _remark(self, text: str) -> None:
        self._say(f"{self._dialect.remark} {' '.join(text[:MOST_CHARACTERS].split())}")

    def _say(self, *lines: str) -> None:
        with self._speaking:  # an answer that took its time comes from another thread
            for line in lines:
                print(line, file=self._out, flush=True)
