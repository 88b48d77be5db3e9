"""External engines as players: UCI, by python-chess."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Self

import chess
import chess.engine

from zeroply.errors import EngineError
from zeroply.games import Position
from zeroply.games.chess import CHESS

DEBIAN_GAMES = "/usr/games"
"""Debian installs engines here, and root's PATH leaves it out."""

START_SECONDS = 30.0
"""How long an engine may take to introduce itself; large nets are read from slow disks."""


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
    """A process that speaks UCI. It is started at once, so that a bad name or option shows before any game.

    Each position is a new game to it: many games are asked about in turn, and nothing that the engine
    remembers of one may colour another. After a failure it is started again for the next position.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        name: str | None = None,
        limits: Limits = NO_LIMITS,
        options: Mapping[str, str] = {},
        patience: float = 60.0,
    ) -> None:
        self.name = name or command[0]
        self._command = [find_engine(command[0]), *command[1:]]
        self._options = dict(options)
        self._limit = _limit(limits)
        self._patience = patience
        """Seconds for a move, beyond its movetime."""
        self._process: chess.engine.SimpleEngine | None = self._start()

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

    def _start(self) -> chess.engine.SimpleEngine:
        process = None
        try:
            process = chess.engine.SimpleEngine.popen_uci(
                self._command, timeout=START_SECONDS, stderr=subprocess.DEVNULL
            )
            process.configure(self._options)
            process.timeout = None  # moves have an alarm of their own
        except (OSError, chess.engine.EngineError) as error:
            if process is not None:
                process.close()
            what = (
                f"no answer within {START_SECONDS:g} s" if isinstance(error, TimeoutError) else _text(error)
            )
            raise EngineError(
                f"engine '{self.name}' cannot be used: {what}. Check its options, and that it speaks UCI"
            ) from None
        return process

    def _move(self, position: Position) -> int:
        if self._process is None:
            self._process = self._start()
        with _Alarm(self._process, self._patience + (self._limit.time or 0.0)) as alarm:
            try:
                played = self._process.play(_board(position), self._limit, game=object())
            except (OSError, chess.engine.EngineError, CancelledError) as error:
                what = alarm.text if alarm.rang else _text(error)
                raise EngineError(f"engine '{self.name}' failed in {position.fen()}: {what}") from None
        if not played.move:
            raise EngineError(f"engine '{self.name}' failed in {position.fen()}: it gave no move")
        return CHESS.moves.number(played.move.uci())


class _Alarm:
    """Ends an engine that thinks for too long: python-chess waits for ever unless the limit is a time."""

    def __init__(self, process: chess.engine.SimpleEngine, seconds: float) -> None:
        self.rang = False
        self.text = f"no answer within {seconds:g} s"
        self._process = process
        self._timer = threading.Timer(seconds, self._ring)

    def _ring(self) -> None:
        self.rang = True
        self._process.close()

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()


def find_engine(name: str) -> str:
    """The program that an engine's name or path means."""
    found = shutil.which(name) or shutil.which(name, path=DEBIAN_GAMES)
    if found is None:
        raise EngineError(
            f"there is no engine '{name}' on the PATH or in {DEBIAN_GAMES}. Install it, or give its path"
        )
    return found


def _limit(limits: Limits) -> chess.engine.Limit:
    movetime = 100 if limits == NO_LIMITS else limits.movetime
    seconds = None if movetime is None else movetime / 1000
    return chess.engine.Limit(depth=limits.depth, nodes=limits.nodes, time=seconds)


def _board(position: Position) -> chess.Board:
    """The position with the moves that led to it, so that the engine knows what has occurred before."""
    start, moves = position.record()
    board = chess.Board(start)
    for move in moves:
        board.push(chess.Move.from_uci(CHESS.moves.names[move]))
    return board


def _text(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
