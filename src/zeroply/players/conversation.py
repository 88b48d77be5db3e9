"""A conversation with an engine, by UCI or UCCI: started with its options, asked about positions."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches

from zeroply.errors import EngineError, ZeroplyError
from zeroply.games import Game
from zeroply.players.answer import Answer, Listener
from zeroply.players.dialects import UCI, Dialect
from zeroply.players.options import Option, parse_option, text_of
from zeroply.players.process import Process
from zeroply.players.program import NO_LIMITS, Limits, find_engine

PATIENCE = 60.0
"""Seconds for which an engine may be silent, beside the time that it was given."""
START_SECONDS = 30.0
"""The most that one waits for an engine to introduce itself; large nets are read from slow disks."""
HOPELESS = 20
"""An engine that fails in so many positions in succession will not do better."""
SHOWN = 12
"""Options that are named to who asks for one that is not there."""

VARIANT, MULTIPV = "uci_variant", "multipv"
MANAGED = (VARIANT, MULTIPV, "uci_chess960", "ponder", "protocol")
"""Options that would change the language that is spoken, or the game."""


class Conversation:
    """With a process that is started at once, so that a bad name or option shows before any question.

    Each position is a new game to it: nothing that the engine remembers of one may colour another, so an
    answer does not depend on the questions before it. After a failure it is started again for the next
    question.
    """

    def __init__(
        self,
        command: Sequence[str],
        game: Game,
        *,
        dialect: Dialect = UCI,
        name: str | None = None,
        limits: Limits = NO_LIMITS,
        options: Mapping[str, str] = {},
        preferred: Mapping[str, str] = {},
        multipv: int = 1,
        patience: float = PATIENCE,
    ) -> None:
        """`options` must be there; `preferred` ones are set where they are and nobody said otherwise."""
        self.name = name or command[0]
        self.identity = self.name
        """What the engine calls itself, with its version."""
        self.waited = 0.0
        """Seconds for which it had something to do."""
        self._command = [find_engine(command[0]), *command[1:]]
        self._game, self._dialect = game, dialect
        self._first = game.fens(game.first_state())[0]
        self._settings, self._preferred, self._multipv = dict(options), dict(preferred), multipv
        self._limits = limits.numbers()
        self._patience = patience + (limits.movetime or 0) / 1000
        self._start_seconds = greeting_seconds(patience)
        self._offered: dict[str, tuple[str, Option]] = {}
        """The engine's options by their names in small letters."""
        self._process: Process | None = None
        self._start()

    def option(self, name: str) -> Option | None:
        """What the engine says of an option, if it has one of that name."""
        return self._offered.get(name.lower(), ("", None))[1]

    def ask(self, start: str, moves: Sequence[int] = ()) -> Answer:
        """About the position after some moves from a FEN, so that the engine knows what has occurred before.
        An EngineError says why there is no answer."""
        process = self._process or self._start()
        begin = time.monotonic()
        try:
            return self._ask(process, self._told(start, moves))
        except EngineError:
            self.close()
            raise
        finally:
            self.waited += time.monotonic() - begin

    def close(self) -> None:
        """End the process; a hung one is killed."""
        if self._process is not None:
            self._process.close()
        self._process = None

    def _start(self) -> Process:
        try:
            # Known before it has greeted, so that whoever ends this worker meanwhile can close it.
            self._process = process = Process(self._command)
            self._introduce(process)
        except BaseException as error:
            self.close()  # after Ctrl-C too: nobody else would
            if not isinstance(error, OSError | ZeroplyError):
                raise
            raise EngineError(
                f"engine '{self.name}' cannot be used: {' '.join(str(error).split())}. "
                f"Check its options, and that it speaks {self._dialect.name.upper()}"
            ) from None
        return process

    def _introduce(self, process: Process) -> None:
        """Hear what the engine offers, and set the game and the options."""
        heard = process.lines(self._start_seconds)
        process.say(self._dialect.name)
        self._offered = {}
        for words in heard:
            if words[:1] == ["option"]:
                name, option = parse_option(words[1:])
                self._offered[name.lower()] = name, option
            elif words[:2] == ["id", "name"]:
                self.identity = " ".join(words[2:])
            elif words[:1] == [f"{self._dialect.name}ok"]:
                break
        wanted = self._wanted()
        for name, value in wanted.items():
            process.say(self._dialect.set_option(name, value))
        process.say("isready")
        _hear(heard, "readyok")

    def _wanted(self) -> dict[str, str]:
        """The settings as they are sent."""
        wanted = {}
        named, variant = self._offered.get(VARIANT, ("", Option(kind="combo")))
        if self._game.name not in (variant.choices or (self._dialect.own_game,)):
            raise EngineError(f"it does not play {self._game.name}")
        if named:
            wanted[named] = self._game.name
        for name, text in self._dialect.settings.items():
            if name in self._offered:
                wanted[self._offered[name][0]] = text
        if self._multipv > 1:
            wanted |= self._setting(MULTIPV, str(self._multipv))
        for name, text in self._preferred.items():
            if name.lower() in self._offered:
                wanted |= self._setting(name, text)
        for name, text in self._settings.items():
            if name.lower() in (*MANAGED, *self._dialect.settings):
                raise EngineError(f"option '{name}' is not for players to set")
            wanted |= self._setting(name, text)
        return wanted

    def _setting(self, name: str, text: str) -> dict[str, str]:
        if name.lower() not in self._offered:
            raise EngineError(f"it has no option '{name}'{self._others(name)}")
        named, option = self._offered[name.lower()]
        try:
            return {named: text_of(option.read(text))}
        except ZeroplyError as error:
            raise EngineError(f"{option.kind} option '{named}': {error}") from None

    def _others(self, name: str) -> str:
        """Which option may have been meant by the name of none, to stand behind another sentence."""
        kept = (*MANAGED, *self._dialect.settings)
        free = {small: named for small, (named, _) in self._offered.items() if small not in kept}
        if near := get_close_matches(name.lower(), free, 1):
            return f", but '{free[near[0]]}'"
        shown, more = list(free.values())[:SHOWN], len(free) - SHOWN
        return f". It has {', '.join(shown) or 'none to set'}{f' and {more} more' if more > 0 else ''}"

    def _ask(self, process: Process, told: str) -> Answer:
        heard = process.lines(self._patience)
        process.say(self._dialect.new_game(self._offered), "isready")
        _hear(heard, "readyok")  # what it still had to say of another position came before
        process.say(told, self._dialect.go(self._limits, self._offered))
        listener = Listener()
        while True:
            words = next(heard)
            if words[:1] == ["info"]:
                listener.hear(words)
            elif words[:1] in (["bestmove"], ["nobestmove"]):
                return listener.answer(words)

    def _told(self, start: str, moves: Sequence[int]) -> str:
        words = ["position", *(["startpos"] if start == self._first else ["fen", start])]
        if moves:
            words += ["moves", *(self._dialect.text(self._game, move) for move in moves)]
        return " ".join(words)


def greeting_seconds(patience: float) -> float:
    """How long an engine may take to introduce itself."""
    return min(START_SECONDS, patience)


def _hear(heard: Iterator[list[str]], wanted: str) -> list[str]:
    """The words of the next line that begins with the wanted one."""
    return next(words for words in heard if words[:1] == [wanted])
