"""Games between players: many in step, the rules as the only judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from zeroply.corpus.score import NO_EVALUATION
from zeroply.errors import EngineError, IllegalMoveError, ZeroplyError
from zeroply.evals.played import PlayedGame
from zeroply.games import Game, Position
from zeroply.players import Player
from zeroply.players.base import Choice, Judge
from zeroply.players.engine import FailedMoveError

PLY_LIMIT = 400
IN_STEP = 128
"""Games under way at a time: a net looks at all their positions in one batch."""


@dataclass(frozen=True)
class Pairing:
    """A game to be played."""

    number: int
    start: str
    """FEN of the first position."""
    players: tuple[Player, Player]
    """Who moves the first player's pieces (White, Red), who the second's."""


def play_games(
    game: Game, pairings: Iterable[Pairing], *, ply_limit: int = PLY_LIMIT
) -> Iterator[list[PlayedGame]]:
    """The games that ended with each step, until all have. They are taken from `pairings` as there is room.

    A player that breaks down or plays an illegal move loses that game only; after `ply_limit` plies a game is
    drawn. Each player is asked about all positions that wait for it in one batch.
    """
    waiting = (_Table(game, pairing) for pairing in pairings)
    live: list[_Table] = []
    while live := [*live, *islice(waiting, IN_STEP - len(live))]:
        for player, tables in _by_mover(live):
            answers = _ask(player, [table.position for table in tables])
            for table, answer in zip(tables, answers, strict=True):
                table.advance(answer, ply_limit)
        ended = [table.played for table in live if table.played is not None]
        live = [table for table in live if table.played is None]
        if ended:
            yield ended


class _Table:
    """One game under way."""

    def __init__(self, game: Game, pairing: Pairing) -> None:
        self.played: PlayedGame | None = None
        """Set when the game is over."""
        self.position: Position = game.start(pairing.start)
        if (over := self.position.reason()) is not None:
            raise ZeroplyError(f"the opening '{pairing.start}' is over: {over}. Leave it out")
        self._pairing = pairing
        self._choices: list[Choice] = []

    @property
    def mover(self) -> Player:
        return self._pairing.players[self.position.turn]

    def advance(self, answer: Choice | EngineError, ply_limit: int) -> None:
        """Play a player's answer; a failure or an illegal move loses the game."""
        mover = self.position.turn
        if isinstance(answer, EngineError):
            return self._end(float(mover), str(answer), failed=mover)
        try:
            self.position = self.position.play(answer.move)
        except IllegalMoveError as error:
            return self._end(float(mover), f"'{self.mover.name}' failed: {error}", failed=mover)
        self._choices.append(answer)
        result = self.position.result()
        if result is not None:
            return self._end(result, self.position.reason() or "")
        if len(self._choices) >= ply_limit:
            return self._end(0.5, f"no result after {ply_limit} plies")
        return None

    def _end(self, result: float, reason: str, failed: int | None = None) -> None:
        first, second = self._pairing.players
        self.played = PlayedGame(
            number=self._pairing.number,
            start=self._pairing.start,
            players=(first.name, second.name),
            moves=tuple(choice.move for choice in self._choices),
            evaluations=tuple(choice.evaluation for choice in self._choices),
            result=result,
            reason=reason,
            failed=failed,
        )


def _by_mover(tables: Sequence[_Table]) -> list[tuple[Player, list[_Table]]]:
    found: dict[int, tuple[Player, list[_Table]]] = {}
    for table in tables:
        found.setdefault(id(table.mover), (table.mover, []))[1].append(table)
    return list(found.values())


def _ask(player: Player, positions: Sequence[Position]) -> list[Choice | EngineError]:
    """A move or a failure for each position, in one batch unless something fails."""
    answers: list[Choice | EngineError] = []
    while len(answers) < len(positions):
        rest = positions[len(answers) :]
        try:
            if isinstance(player, Judge):
                answers += player.judge(rest)
            else:
                answers += [Choice(move, NO_EVALUATION) for move in player.choose(rest)]
        except FailedMoveError as error:
            answers += [*error.chosen, error]
    return answers
