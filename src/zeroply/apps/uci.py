"""The UCI front end: any chess program can play against a model. Text here, move numbers behind.

One look at the board costs milliseconds, so `go` answers at once whatever its limits, and nothing runs
while the next command is read.
"""

from __future__ import annotations

import io
import math
import secrets
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import TextIO

import numpy as np

from zeroply import __version__
from zeroply.errors import PositionError, ZeroplyError
from zeroply.games import Position
from zeroply.players import PolicyPlayer
from zeroply.players.base import Network
from zeroply.players.load import load_network
from zeroply.players.policy import STRONGEST
from zeroply.players.rules import Help, mate_in_one, no_draw_when_winning


@dataclass(frozen=True, kw_only=True)
class Option:
    """A setting that a program may show to people: `spin` a whole number, `check` yes or no, `string`."""

    kind: str
    default: int | bool | str
    low: int = 0
    high: int = 0

    def declared(self) -> str:
        default = str(self.default).lower() if self.kind == "check" else self.default
        limits = f" min {self.low} max {self.high}" if self.kind == "spin" else ""
        return f"type {self.kind} default {default}{limits}"

    def read(self, text: str) -> int | bool | str:
        if self.kind == "check" and text.lower() in ("true", "false"):
            return text.lower() == "true"
        if self.kind == "spin" and text.removeprefix("-").isdecimal() and self.low <= int(text) <= self.high:
            return int(text)
        if self.kind == "string" and text:
            return text
        raise ZeroplyError(f"'{text}' will not do: it is {self.declared()}")


RULES: Mapping[str, Help] = {"MateRule": mate_in_one, "RepetitionRule": no_draw_when_winning}
"""Helps of the rules by the names of their options."""


def options(model: str) -> dict[str, Option]:
    return {
        "Model": Option(kind="string", default=model),
        "UCI_LimitStrength": Option(kind="check", default=False),
        "UCI_Elo": Option(kind="spin", default=2500, low=2300, high=2850),
        "Temperature": Option(kind="spin", default=0, low=0, high=1000),
        "Seed": Option(kind="spin", default=0, low=0, high=2**31 - 1),
        "MultiPV": Option(kind="spin", default=1, low=1, high=256),
        "UCI_ShowWDL": Option(kind="check", default=False),
        **{name: Option(kind="check", default=True) for name in RULES},
    }


def main() -> None:
    """`zeroply-uci`: for programs that start an engine by a file, without arguments."""
    run("chess")


def run(model: str, lines: Iterable[str] | None = None, out: TextIO | None = None) -> None:
    """Answer commands until `quit` or the end of `lines`; by default standard input and output."""
    if lines is None:
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        lines = sys.stdin
    engine = Engine(model, out or sys.stdout)
    try:
        for line in lines:
            if not engine.obey(line):
                return
    except BrokenPipeError:
        return  # the program at the other end is gone


class Engine:
    """What lasts from one command to the next: the options, the model once it is needed, the position."""

    def __init__(self, model: str, out: TextIO) -> None:
        self._out = out
        self._options = options(model)
        self._values = {name: option.default for name, option in self._options.items()}
        self._network: Network | None = None
        self._player: PolicyPlayer | None = None
        self._line: tuple[list[str], list[str]] = ([], [])
        """Start and moves of the position, as they were given."""
        self._now: Position | None = None
        """None until the model is loaded, which knows the game, and after a position that made no sense."""
        self._held: str | None = None
        """An answer to `go infinite` or `go ponder`, until it is asked for."""
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self._uci,
            "isready": self._isready,
            "setoption": self._setoption,
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._stop,
        }

    def obey(self, line: str) -> bool:
        """Carry out one command; False after `quit`."""
        command, *rest = line.split() or [""]
        try:
            if command in self._commands:
                self._commands[command](rest)
            elif command not in ("", "quit", "ucinewgame", "debug", "register"):
                self._say(f"info string unknown command '{command}'")
        except BrokenPipeError:
            raise
        except Exception as error:  # whatever it is: a program that ends has lost its game
            self._complain(error)
            if command == "go":
                self._say("bestmove (none)")
        return command != "quit"

    def _uci(self, _: list[str]) -> None:
        self._say(f"id name zeroply {__version__}")
        self._say("id author the zeroply authors")
        for name, option in self._options.items():
            self._say(f"option name {name} {option.declared()}")
        self._say("uciok")

    def _isready(self, _: list[str]) -> None:
        try:
            self._load()
        except Exception as error:  # as above; readyok must come
            self._complain(error)
        self._say("readyok")

    def _setoption(self, words: list[str]) -> None:
        at = words.index("value") if "value" in words else len(words)
        wanted, text = " ".join(words[1:at]), " ".join(words[at + 1 :])
        names = {name.lower(): name for name in self._options}
        if words[:1] != ["name"] or wanted.lower() not in names:
            raise ZeroplyError(f"there is no option '{wanted}'. Known: {', '.join(self._options)}")
        name = names[wanted.lower()]
        try:
            self._values[name] = self._options[name].read(text)
        except ZeroplyError as error:
            raise ZeroplyError(f"option {name}: {error}") from None
        self._player = None
        if name == "Model":
            self._network = self._now = None

    def _position(self, words: list[str]) -> None:
        game = self._load().game
        at = words.index("moves") if "moves" in words else len(words)
        start, names = words[:at], words[at + 1 :]
        line, now = self._line, self._now
        # A position that makes no sense must not leave an older one to be answered for.
        self._now = None
        if start[:1] not in (["startpos"], ["fen"]):
            raise PositionError(f"'{' '.join(words)}' is not a position: startpos or fen … [moves …]")
        if now is None or start != line[0] or names[: len(line[1])] != line[1]:
            now, line = game.start(None if start[0] == "startpos" else " ".join(start[1:])), (start, [])
        for name in names[len(line[1]) :]:
            now = now.play(game.moves.number(name))
        self._line, self._now = (start, names), now

    def _go(self, words: list[str]) -> None:
        network = self._load()
        if self._now is None:
            raise PositionError("there is no position to look at. Give one: position startpos")
        names = network.game.moves.names
        if len(self._now.legal()) == 0:
            self._say(f"info depth 0 score {'cp' if self._now.result() == 0.5 else 'mate'} 0")
            self._say("bestmove (none)")
            return
        if self._player is None:
            self._player = self._new_player(network)
        glance = self._player.glance([self._now])[0]
        if "searchmoves" in words:
            numbers = network.game.moves.numbers
            wanted = takewhile(numbers.__contains__, words[words.index("searchmoves") + 1 :])
            glance = glance.only(np.isin(glance.moves, [numbers[name] for name in wanted]))
        count = int(self._values["MultiPV"])
        for move, probability in zip(glance.moves[:count], glance.probabilities, strict=False):
            self._say(f"info string {names[move]} {probability:.2%}")
        score = f"cp {centipawns(glance.wdl)}" + (_wdl(glance.wdl) if self._values["UCI_ShowWDL"] else "")
        for place, move in enumerate(glance.moves[:count], 1):
            self._say(f"info depth 1 seldepth 1 multipv {place} score {score} nodes 1 pv {names[move]}")
        best = f"bestmove {names[self._player.pick(self._now, glance)]}"
        if "infinite" in words or "ponder" in words:
            self._held = best  # the protocol wants it only when the program says stop
        else:
            self._say(best)

    def _stop(self, _: list[str]) -> None:
        if self._held is not None:
            self._say(self._held)
        self._held = None

    def _load(self) -> Network:
        if self._network is None:
            self._network = load_network(str(self._values["Model"]))
            self._line, self._now = (["startpos"], []), self._network.game.start()
        return self._network

    def _new_player(self, network: Network) -> PolicyPlayer:
        return PolicyPlayer(
            network,
            rating=int(self._values["UCI_Elo"]) if self._values["UCI_LimitStrength"] else STRONGEST,
            temperature=int(self._values["Temperature"]) / 100,
            seed=int(self._values["Seed"]) or secrets.randbits(32),
            helps=[help_ for name, help_ in RULES.items() if self._values[name]],
        )

    def _complain(self, error: Exception) -> None:
        self._say(f"info string {type(error).__name__}: {' '.join(str(error).split())}")

    def _say(self, text: str) -> None:
        print(text, file=self._out, flush=True)


def centipawns(wdl: tuple[float, float, float]) -> int:
    """Lc0's way to write an expected result Q = win - loss in centipawns: 90 tan(1.5637541897 Q)."""
    return round(90 * math.tan(1.5637541897 * max(-1.0, min(1.0, wdl[0] - wdl[2]))))


def _wdl(wdl: tuple[float, float, float]) -> str:
    win, loss = round(1000 * wdl[0]), round(1000 * wdl[2])
    return f" wdl {win} {max(0, 1000 - win - loss)} {loss}"
