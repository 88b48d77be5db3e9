"""A match: every opening with both colours, many games in step, the rules as the only judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from zeroply.errors import EngineError, IllegalMoveError, ZeroplyError
from zeroply.evals.elo import Estimate, estimate
from zeroply.evals.played import PlayedGame, write_pgn
from zeroply.games import Game, Position
from zeroply.players import Player
from zeroply.players.engine import FailedMoveError

PLY_LIMIT = 400
IN_STEP = 128
"""Games under way at a time: a net looks at all their positions in one batch."""


@dataclass(frozen=True, kw_only=True)
class MatchResult:
    """Games of A against B by number; A has the first move in the even ones."""

    game: Game
    names: tuple[str, str]
    played: tuple[PlayedGame, ...]

    def points(self) -> list[float]:
        """A's points, game by game."""
        return [played.result if played.number % 2 == 0 else 1 - played.result for played in self.played]

    def pairs(self) -> list[list[float]]:
        """A's points, together those of games from one opening: two, one with each colour, unless openings
        were too few or the last has only one."""
        groups: dict[str, list[float]] = {}
        for played, points in zip(self.played, self.points(), strict=True):
            groups.setdefault(played.start, []).append(points)
        return list(groups.values())

    def estimate(self) -> Estimate:
        """Over pairs, not games: those of one opening resemble each other."""
        return estimate(self.pairs())

    def summary(self) -> dict[str, Any]:
        """One flat object for JSON, seen from A."""
        points = self.points()
        # In even games A is side 0, in odd ones side 1.
        failed = [played.failed == played.number % 2 for played in self.played if played.failed is not None]
        return {
            "model": self.names[0],
            "opponent": self.names[1],
            "game": self.game.name,
            "n": len(points),
            "pairs": len(self.pairs()),
            "wins": points.count(1.0),
            "draws": points.count(0.5),
            "losses": points.count(0.0),
            **asdict(self.estimate()),
            "crashes": failed.count(True),
            "opponent_crashes": failed.count(False),
        }

    def pgn(self, write: Callable[[Game, PlayedGame], str] = write_pgn) -> str:
        return "".join(write(self.game, played) for played in self.played)


class _Table:
    """One game under way."""

    def __init__(self, number: int, start: str, position: Position, players: tuple[str, str]) -> None:
        self.played: PlayedGame | None = None
        """Set when the game is over."""
        self.position = position
        self._number, self._start, self._players = number, start, players
        self._moves: list[int] = []

    def a_moves(self) -> bool:
        return self.position.turn == self._number % 2

    def advance(self, answer: int | EngineError, ply_limit: int) -> None:
        """Play a player's answer; a failure or an illegal move loses the game."""
        mover = self.position.turn
        if isinstance(answer, EngineError):
            return self._end(float(mover), str(answer), failed=mover)
        try:
            self.position = self.position.play(answer)
        except IllegalMoveError as error:
            return self._end(float(mover), f"'{self._players[mover]}' failed: {error}", failed=mover)
        self._moves.append(answer)
        result = self.position.result()
        if result is not None:
            return self._end(result, self.position.reason() or "")
        if len(self._moves) >= ply_limit:
            return self._end(0.5, f"no result after {ply_limit} plies")
        return None

    def _end(self, result: float, reason: str, failed: int | None = None) -> None:
        self.played = PlayedGame(
            number=self._number,
            start=self._start,
            players=self._players,
            moves=tuple(self._moves),
            result=result,
            reason=reason,
            failed=failed,
        )


def play_match(
    a: Player,
    b: Player,
    game: Game,
    games: int,
    openings: Sequence[str],
    *,
    ply_limit: int = PLY_LIMIT,
    progress: Callable[[MatchResult], None] = lambda _: None,
) -> MatchResult:
    """Play `games` games from the FENs in `openings`, each opening with both colours before the next.

    With too few openings they are played again; the interval knows that this adds little. `progress` hears
    of the result so far whenever games have ended. A player that breaks down loses that game only.
    """
    if games < 1 or not openings:
        raise ZeroplyError(f"a match of {games} games from {len(openings)} openings cannot be played")
    names = (a.name, b.name)
    waiting = _tables(game, games, openings, names)
    live: list[_Table] = []
    played: list[PlayedGame] = []
    while len(played) < games:
        live += islice(waiting, IN_STEP - len(live))
        for_a = [table for table in live if table.a_moves()]
        for_b = [table for table in live if not table.a_moves()]
        for player, tables in ((a, for_a), (b, for_b)):
            answers = _ask(player, [table.position for table in tables])
            for table, answer in zip(tables, answers, strict=True):
                table.advance(answer, ply_limit)
        ended = [table.played for table in live if table.played is not None]
        if ended:
            live = [table for table in live if table.played is None]
            played = sorted([*played, *ended], key=lambda one: one.number)
            progress(MatchResult(game=game, names=names, played=tuple(played)))
    return MatchResult(game=game, names=names, played=tuple(played))


def _tables(game: Game, games: int, openings: Sequence[str], names: tuple[str, str]) -> Iterator[_Table]:
    for number in range(games):
        start = openings[number // 2 % len(openings)]
        position = game.start(start)
        if position.reason() is not None:
            raise ZeroplyError(f"the opening '{start}' is over: {position.reason()}. Leave it out")
        yield _Table(number, start, position, names if number % 2 == 0 else (names[1], names[0]))


def _ask(player: Player, positions: Sequence[Position]) -> list[int | EngineError]:
    """A move or a failure for each position, in one batch unless something fails."""
    answers: list[int | EngineError] = []
    while len(answers) < len(positions):
        try:
            answers += player.choose(positions[len(answers) :])
        except FailedMoveError as error:
            answers += [*error.chosen, error]
    return answers
