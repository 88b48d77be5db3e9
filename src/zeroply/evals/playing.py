"""Games between players: many in step, engines at work side by side, the rules as the only judge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import islice

import numpy as np

from zeroply.corpus.score import NO_EVALUATION
from zeroply.errors import EngineError, IllegalMoveError, ZeroplyError
from zeroply.evals.played import PlayedGame
from zeroply.games import Game, Position
from zeroply.players import Player
from zeroply.players.answer import Answer
from zeroply.players.base import Choice, Gambler, Judge

PLY_LIMIT = 400
IN_STEP = 128
"""Games under way at a time: a net looks at all their positions in one batch."""
IN_STEP_WITH_ENGINE = 8
"""The same for each engine at work. While it thinks about one game, the answers in others are played; fewer
would let it wait for us, more would be lost if we are killed."""


@dataclass(frozen=True)
class Pairing:
    """A game to be played."""

    number: int
    start: str
    """FEN of the first position."""
    players: tuple[Player, Player]
    """Who moves the first player's pieces (White, Red), who the second's."""


def play_games(
    game: Game, pairings: Sequence[Pairing], *, ply_limit: int = PLY_LIMIT, workers: int = 1
) -> Iterator[list[PlayedGame]]:
    """The games that ended with each step, until all have; they are begun as there is room.

    A player that breaks down or plays an illegal move loses that game only; after `ply_limit` plies a game is
    drawn. Up to `workers` engines think at a time; other players are asked about all positions that wait for
    them in one batch. Neither these numbers nor the other games change a game whose players give the same
    answer twice: lots are drawn for each game by its number.
    """
    thinks = any(isinstance(player, Judge) for pairing in pairings for player in pairing.players)
    room = IN_STEP_WITH_ENGINE * workers if thinks else IN_STEP
    waiting = (_Table(game, pairing, ply_limit) for pairing in pairings)
    live: list[_Table] = []
    engines = ThreadPoolExecutor(workers)
    try:
        while live := [*live, *islice(waiting, room - len(live))]:
            _step(live, engines)
            ended = [table.played for table in live if table.played is not None]
            live = [table for table in live if table.played is None]
            if ended:
                yield ended
    finally:
        # After an error or Ctrl-C nobody waits for engines: who closes the players ends them.
        engines.shutdown(wait=False, cancel_futures=True)


def _step(live: Sequence[_Table], engines: ThreadPoolExecutor) -> None:
    """One move in every game."""
    thinking: dict[Future[Answer], tuple[Judge, _Table]] = {}
    others: dict[int, list[_Table]] = {}
    for table in live:
        if isinstance(table.mover, Judge):
            thinking[engines.submit(table.mover.ask, table.position)] = table.mover, table
        else:
            others.setdefault(id(table.mover), []).append(table)
    for tables in others.values():
        for table, move in zip(tables, _chosen(tables), strict=True):
            table.advance(Choice(move, NO_EVALUATION))
    for answer in as_completed(thinking):
        judge, table = thinking[answer]
        try:
            table.advance(judge.choice(table.position, answer.result()))
        except EngineError as error:
            table.fail(str(error))


def _chosen(tables: Sequence[_Table]) -> list[int]:
    """The moves of the one player that all these wait for."""
    player, positions = tables[0].mover, [table.position for table in tables]
    if isinstance(player, Gambler):
        return player.choose_by(positions, [table.lot(player) for table in tables])
    return player.choose(positions)


class _Table:
    """One game under way."""

    def __init__(self, game: Game, pairing: Pairing, ply_limit: int) -> None:
        self.played: PlayedGame | None = None
        """Set when the game is over."""
        self.position: Position = game.start(pairing.start)
        if (over := self.position.reason()) is not None:
            raise ZeroplyError(f"the opening '{pairing.start}' is over: {over}. Leave it out")
        self._pairing, self._ply_limit = pairing, ply_limit
        self._choices: list[Choice] = []
        self._lots: dict[int, np.random.Generator] = {}
        """By side."""

    @property
    def mover(self) -> Player:
        return self._pairing.players[self.position.turn]

    def lot(self, player: Gambler) -> np.random.Generator:
        """By which the mover draws in this game."""
        side = self.position.turn
        if side not in self._lots:
            self._lots[side] = np.random.default_rng([player.seed, self._pairing.number, side])
        return self._lots[side]

    def advance(self, choice: Choice) -> None:
        """Play a player's move; an illegal one loses the game."""
        try:
            self.position = self.position.play(choice.move)
        except IllegalMoveError as error:
            return self.fail(f"'{self.mover.name}' failed: {error}")
        self._choices.append(choice)
        result = self.position.result()
        if result is not None:
            return self._end(result, self.position.reason() or "")
        if len(self._choices) >= self._ply_limit:
            return self._end(0.5, f"no result after {self._ply_limit} plies", adjudicated=True)
        return None

    def fail(self, reason: str) -> None:
        """The mover has lost, for it has no move to play."""
        self._end(float(self.position.turn), reason, failed=self.position.turn)

    def _end(
        self, result: float, reason: str, *, failed: int | None = None, adjudicated: bool = False
    ) -> None:
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
            adjudicated=adjudicated,
        )
