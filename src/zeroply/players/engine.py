"""External engines as players, of any game that they know, by UCI or UCCI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zeroply.corpus.evaluation import centipawns, mate
from zeroply.corpus.score import NO_EVALUATION
from zeroply.errors import EngineError, IllegalMoveError
from zeroply.games import Game, Position
from zeroply.players.answer import NO_MOVE, Answer
from zeroply.players.base import Choice
from zeroply.players.conversation import PATIENCE, Conversation
from zeroply.players.dialects import UCI, Dialect
from zeroply.players.program import NO_LIMITS, Limits


class FailedMoveError(EngineError):
    """An engine broke down over one of several positions."""

    def __init__(self, message: str, chosen: Sequence[Choice]) -> None:
        super().__init__(message)
        self.chosen = list(chosen)
        """What it chose in the positions before that one."""


class EnginePlayer:
    """A process that speaks UCI or UCCI, started at once. Many games are asked about in turn, and each
    position is a new game to it; after a failure it is started again for the next."""

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
        self._engine = Conversation(
            command, game, dialect=dialect, name=name, limits=limits, options=options, patience=patience
        )

    @property
    def identity(self) -> str:
        """What the engine calls itself, with its version."""
        return self._engine.identity

    @property
    def waited(self) -> float:
        """Seconds for which it had something to do."""
        return self._engine.waited

    def choose(self, positions: Sequence[Position]) -> list[int]:
        return [choice.move for choice in self.judge(positions)]

    def judge(self, positions: Sequence[Position]) -> list[Choice]:
        chosen: list[Choice] = []
        for position in positions:
            try:
                chosen.append(self._choice(position))
            except EngineError as error:
                self.close()
                raise FailedMoveError(
                    f"engine '{self.name}' failed in {position.fen()}: {error}", chosen
                ) from None
        return chosen

    def close(self) -> None:
        """End the process; a hung one is killed."""
        self._engine.close()

    def _choice(self, position: Position) -> Choice:
        answer = self._engine.ask(*position.record())
        if answer.best in NO_MOVE:
            raise EngineError("it gave no move")
        try:
            move = self._dialect.number(self._game, answer.best)
        except IllegalMoveError:
            move = -1
        if move not in position.legal():
            raise EngineError(f"illegal {self._dialect.name}: '{answer.best}'")
        return Choice(move, _evaluation(answer))


def _evaluation(answer: Answer) -> int:
    if not answer.lines:
        return NO_EVALUATION
    line = answer.lines[0]
    if line.mate is not None:
        return mate(abs(line.mate), for_mover=line.mate > 0)
    return centipawns(line.cp or 0)
