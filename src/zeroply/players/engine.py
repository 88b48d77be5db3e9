"""External engines as players, of any game that they know, by UCI or UCCI."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from zeroply.errors import EngineError, IllegalMoveError, ZeroplyError
from zeroply.games import Game, Position
from zeroply.players.dialects import UCI, Dialect
from zeroply.players.options import Option, parse_option, text_of
from zeroply.players.process import Process

DEBIAN_GAMES = "/usr/games"
"""Debian installs engines here, and root's PATH leaves it out."""

START_SECONDS = 30.0
"""How long an engine may take to introduce itself; large nets are read from slow disks."""

VARIANT = "uci_variant"
MANAGED = (VARIANT, "uci_chess960", "multipv", "ponder", "protocol")
"""Options that would change the language that is spoken, or the game."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """When an engine stops thinking: at whatever comes first. None at all means a tenth of a second."""

    depth: int | None = None
    nodes: int | None = None
    movetime: int | None = None
    """Milliseconds."""


NO_LIMITS = Limits()


class FailedMoveError(EngineError):
    """An engine broke down over one of several positions."""

    def __init__(self, message: str, chosen: Sequence[int]) -> None:
        super().__init__(message)
        self.chosen = list(chosen)
        """Its moves for the positions before that one."""


class EnginePlayer:
    """A process that speaks UCI or UCCI. It is started at once, so that a bad name or option shows before any
    game.

    Each position is a new game to it: many games are asked about in turn, and nothing that the engine
    remembers of one may colour another. After a failure it is started again for the next position.
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
        patience: float = 60.0,
    ) -> None:
        self.name = name or command[0]
        self._command = [find_engine(command[0]), *command[1:]]
        self._game, self._dialect = game, dialect
        self._first = game.start().fen()
        self._settings = dict(options)
        self._limits = _numbers(limits)
        self._patience = patience + (limits.movetime or 0) / 1000
        """Seconds for a move."""
        self._offered: dict[str, tuple[str, Option]] = {}
        """The engine's options by their names in small letters."""
        self._process: Process | None = self._start()

    def choose(self, positions: Sequence[Position]) -> list[int]:
        chosen: list[int] = []
        for position in positions:
            try:
                chosen.append(self._move(position))
            except EngineError as error:
                self.close()
                raise FailedMoveError(str(error), chosen) from None
        return chosen

    def close(self) -> None:
        """End the process; a hung one is killed."""
        if self._process is not None:
            self._process.close()
        self._process = None

    def _start(self) -> Process:
        process = None
        try:
            process = Process(self._command)
            self._introduce(process)
        except (OSError, ZeroplyError) as error:
            if process is not None:
                process.close()
            raise EngineError(
                f"engine '{self.name}' cannot be used: {' '.join(str(error).split())}. "
                f"Check its options, and that it speaks {self._dialect.name.upper()}"
            ) from None
        return process

    def _introduce(self, process: Process) -> None:
        """Hear what the engine offers, and set the game and the options."""
        heard = process.lines(START_SECONDS)
        process.say(self._dialect.name)
        self._offered = {}
        for words in heard:
            if words[:1] == ["option"]:
                name, option = parse_option(words[1:])
                self._offered[name.lower()] = name, option
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
        for name, text in self._settings.items():
            if name.lower() in (*MANAGED, *self._dialect.settings):
                raise EngineError(f"option '{name}' is not for players to set")
            if name.lower() not in self._offered:
                raise EngineError(f"it has no option '{name}'")
            named, option = self._offered[name.lower()]
            try:
                wanted[named] = text_of(option.read(text))
            except ZeroplyError as error:
                raise EngineError(f"{option.kind} option '{named}': {error}") from None
        return wanted

    def _move(self, position: Position) -> int:
        if self._process is None:
            self._process = self._start()
        try:
            return self._ask(self._process, position)
        except EngineError as error:
            raise EngineError(f"engine '{self.name}' failed in {position.fen()}: {error}") from None

    def _ask(self, process: Process, position: Position) -> int:
        heard = process.lines(self._patience)
        process.say(self._dialect.new_game(self._offered))
        process.say("isready")
        _hear(heard, "readyok")  # what it still had to say of another position came before
        process.say(self._told(position))
        process.say(self._dialect.go(self._limits, self._offered))
        answer = _hear(heard, "bestmove", "nobestmove")
        text = answer[1] if len(answer) > 1 else ""
        if text in ("", "(none)", "0000"):
            raise EngineError("it gave no move")
        try:
            move = self._dialect.number(self._game, text)
        except IllegalMoveError:
            move = -1
        if move not in position.legal():
            raise EngineError(f"illegal {self._dialect.name}: '{text}'")
        return move

    def _told(self, position: Position) -> str:
        """The position with the moves that led to it, so that the engine knows what has occurred before."""
        start, moves = position.record()
        words = ["position", *(["startpos"] if start == self._first else ["fen", start])]
        if moves:
            words += ["moves", *(self._dialect.text(self._game, move) for move in moves)]
        return " ".join(words)


def find_engine(name: str) -> str:
    """The program that an engine's name or path means."""
    found = shutil.which(name) or shutil.which(name, path=DEBIAN_GAMES)
    if found is None:
        raise EngineError(
            f"there is no engine '{name}' on the PATH or in {DEBIAN_GAMES}. Install it, or give its path"
        )
    return found


def _numbers(limits: Limits) -> dict[str, int]:
    chosen = Limits(movetime=100) if limits == NO_LIMITS else limits
    return {name: limit for name, limit in asdict(chosen).items() if limit is not None}


def _hear(heard: Iterator[list[str]], *wanted: str) -> list[str]:
    """The words of the next line that begins with a wanted one."""
    return next(words for words in heard if words and words[0] in wanted)
