"""External engines as players, of any game that they know, by UCI or UCCI."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

from zeroply.corpus.evaluation import centipawns, mate
from zeroply.corpus.score import NO_EVALUATION
from zeroply.errors import EngineError, IllegalMoveError
from zeroply.games import Game, Position
from zeroply.players.answer import NO_MOVE, Answer
from zeroply.players.base import Choice
from zeroply.players.conversation import PATIENCE, Conversation
from zeroply.players.dialects import UCI, Dialect
from zeroply.players.program import NO_LIMITS, Limits


class EnginePlayer:
    """A program that speaks UCI or UCCI. One process is started at once; where several threads ask at a time,
    each gets its own. Every position is a new game to it; after a failure it is started again for the next.
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
        patience: float = PATIENCE,
    ) -> None:
        self.name = name or command[0]
        self._game, self._dialect = game, dialect
        self._start = partial(
            Conversation,
            command,
            game,
            dialect=dialect,
            name=name,
            limits=limits,
            options=options,
            patience=patience,
        )
        self._engines = [self._start()]
        self._idle = [*self._engines]
        """Those that nobody asks just now. Threads take them from its end and put them back."""

    @property
    def identity(self) -> str:
        """What the engine calls itself, with its version."""
        return self._engines[0].identity

    @property
    def waited(self) -> float:
        """Seconds for which it had something to do, of all its processes."""
        return sum(engine.waited for engine in self._engines)

    def range_of(self, option: str) -> tuple[int, int] | None:
        """From where to where a number that can be set may be; None where there is none."""
        offered = self._engines[0].option(option)
        if offered is None or offered.low is None or offered.high is None:
            return None
        return offered.low, offered.high

    def choose(self, positions: Sequence[Position]) -> list[int]:
        return [self.choice(position, self.ask(position)).move for position in positions]

    def ask(self, position: Position) -> Answer:
        with self._named(position):
            engine = self._taken()
            try:
                return engine.ask(*position.record())
            finally:
                self._idle.append(engine)

    def choice(self, position: Position, answer: Answer) -> Choice:
        with self._named(position):
            if answer.best in NO_MOVE:
                raise EngineError("it gave no move")
            try:
                move = self._dialect.number(self._game, answer.best)
            except IllegalMoveError:
                move = -1
            if move not in position.legal():
                raise EngineError(f"illegal {self._dialect.name}: '{answer.best}'")
            return Choice(move, _evaluation(answer))

    def close(self) -> None:
        """End all processes; hung ones are killed."""
        for engine in self._engines:
            engine.close()

    def _taken(self) -> Conversation:
        try:
            return self._idle.pop()
        except IndexError:
            self._engines.append(self._start())
            return self._engines[-1]

    @contextmanager
    def _named(self, position: Position) -> Iterator[None]:
        """A failure is told with the engine and the position."""
        try:
            yield
        except EngineError as error:
            raise EngineError(f"engine '{self.name}' failed in {position.fen()}: {error}") from None


def _evaluation(answer: Answer) -> int:
    if not answer.lines:
        return NO_EVALUATION
    line = answer.lines[0]
    if line.mate is not None:
        return mate(abs(line.mate), for_mover=line.mate > 0)
    return centipawns(line.cp or 0)
