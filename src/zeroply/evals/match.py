"""A match: every opening with both colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from zeroply.errors import ZeroplyError
from zeroply.evals.elo import Estimate, estimate
from zeroply.evals.match_file import MatchFile
from zeroply.evals.played import PlayedGame
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
        return [points_of_a(played) for played in self.played]

    def pairs(self) -> list[list[float]]:
        """A's points, together those of games that resemble each other."""
        return [[points_of_a(played) for played in games] for games in together(self.played)]

    def estimate(self) -> Estimate:
        """Over pairs, not games."""
        return estimate(self.pairs())

    def summary(self) -> dict[str, Any]:
        """One flat object for JSON, seen from A."""
        return {
            "model": self.names[0],
            "opponent": self.names[1],
            "game": self.game.name,
            **tally(self.played),
            "pairs": len(self.pairs()),
            **asdict(self.estimate()),
            "pentanomial": self._pentanomial(),
            **endings(self.played),
        }

    def _pentanomial(self) -> str | None:
        """Pairs by A's points in them: 0, ½, 1, 1½, 2. None where some openings were not played twice."""
        pairs = self.pairs()
        if any(len(pair) != 2 for pair in pairs):
            return None
        totals = [sum(pair) for pair in pairs]
        return " ".join(str(totals.count(half / 2)) for half in range(5))


def together(played: Sequence[PlayedGame]) -> list[list[PlayedGame]]:
    """Games that resemble each other: those from one opening, two, one with each colour, unless openings were
    too few or the last has only one.

    A single opening for all is what the match is about, not a sample of others: then it is the two games of a
    round, unless players without chance repeat the same game, which tells no more than once.
    """
    openings = {one.start for one in played}
    lines = {(one.number % 2, one.moves) for one in played}
    by_round = len(openings) == 1 and len(lines) > 2
    groups: dict[Any, list[PlayedGame]] = {}
    for one in played:
        groups.setdefault(one.number // 2 if by_round else one.start, []).append(one)
    return list(groups.values())


def points_of_a(played: PlayedGame) -> float:
    return played.result if played.number % 2 == 0 else 1 - played.result


def tally(played: Sequence[PlayedGame]) -> dict[str, int]:
    points = [points_of_a(one) for one in played]
    return {
        "n": len(points),
        "wins": points.count(1.0),
        "draws": points.count(0.5),
        "losses": points.count(0.0),
    }


def endings(played: Sequence[PlayedGame]) -> dict[str, Any]:
    """How many games were drawn because they went on for too long; how many A and its opponent lost because
    their programs broke down, and how the first did."""
    # In even games A is side 0, in odd ones side 1.
    own = [one.reason for one in played if one.failed == one.number % 2]
    others = [one.reason for one in played if one.failed == 1 - one.number % 2]
    return {
        "adjudicated": sum(one.adjudicated for one in played),
        "crashes": len(own),
        "opponent_crashes": len(others),
        **({"first_crash": own[0]} if own else {}),
        **({"opponent_first_crash": others[0]} if others else {}),
    }


def play_match(
    a: Player,
    b: Player,
    game: Game,
    games: int,
    openings: Sequence[str],
    *,
    ply_limit: int = PLY_LIMIT,
    workers: int = 1,
    file: MatchFile | None = None,
    progress: Callable[[MatchResult], None] = lambda _: None,
) -> MatchResult:
    """Play `games` games from the FENs in `openings`, each opening with both colours before the next.

    With too few openings they are played again; the interval knows that this adds little. Up to `workers`
    engines think at a time. Games that `file` holds are not played again, and it gets the others. `progress`
    hears of the result so far whenever games have ended. A player that breaks down loses that game only.
    """
    if games < 1 or not openings:
        raise ZeroplyError(f"a match of {games} games from {len(openings)} openings cannot be played")
    if file is not None:
        file.only(games)

    def result(played: Sequence[PlayedGame]) -> MatchResult:
        return MatchResult(game=game, names=(a.name, b.name), played=tuple(played))

    return result(
        play_on(
            game,
            [pairing(number, openings, a, b) for number in range(games)],
            ply_limit=ply_limit,
            workers=workers,
            file=file,
            progress=lambda played: progress(result(played)),
        )
    )


def pairing(number: int, openings: Sequence[str], a: Player, b: Player) -> Pairing:
    """A has the first move in even games; the next one is from the same opening."""
    return Pairing(number, openings[number // 2 % len(openings)], (a, b) if number % 2 == 0 else (b, a))


def play_on(
    game: Game,
    pairings: Sequence[Pairing],
    *,
    ply_limit: int,
    workers: int,
    file: MatchFile | None,
    progress: Callable[[Sequence[PlayedGame]], None],
) -> list[PlayedGame]:
    """How all games ended, by number; those that `file` does not hold are played."""
    before = [file.game_of(one) for one in pairings] if file is not None else []
    played = [one for one in before if one is not None]
    known = {one.number for one in played}
    if played:
        progress(played)
    rest = [one for one in pairings if one.number not in known]
    for ended in play_games(game, rest, ply_limit=ply_limit, workers=workers):
        if file is not None:
            for one in ended:
                file.add(one)
        played = sorted([*played, *ended], key=lambda one: one.number)
        progress(played)
    return played
