"""A match: every opening with both colours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from zeroply.errors import ZeroplyError
from zeroply.evals.elo import Estimate, estimate
from zeroply.evals.played import PlayedGame, write_pgn
from zeroply.evals.playing import PLY_LIMIT, Pairing, play_games
from zeroply.games import Game
from zeroply.players import Player


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
    played: list[PlayedGame] = []
    for ended in play_games(game, _pairings(a, b, games, openings), ply_limit=ply_limit):
        played = sorted([*played, *ended], key=lambda one: one.number)
        progress(MatchResult(game=game, names=names, played=tuple(played)))
    return MatchResult(game=game, names=names, played=tuple(played))


def _pairings(a: Player, b: Player, games: int, openings: Sequence[str]) -> Iterator[Pairing]:
    for number in range(games):
        yield Pairing(number, openings[number // 2 % len(openings)], (a, b) if number % 2 == 0 else (b, a))
