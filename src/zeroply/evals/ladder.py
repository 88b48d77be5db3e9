"""A ladder: one player against an engine at rising strengths, and the rating that explains the results best.

The first games are played at every rung; the others only at rungs near the rating that those tell, since a
game that is won or lost for certain says nothing. Both parts have their rungs in rising order, so that few
engines are at work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from zeroply.errors import ZeroplyError
from zeroply.evals.bands import within
from zeroply.evals.elo import estimate
from zeroply.evals.match import endings, pairing, play_on, points_of_a, tally, together
from zeroply.evals.match_file import MatchFile
from zeroply.evals.measures import named
from zeroply.evals.played import PlayedGame
from zeroply.evals.playing import PLY_LIMIT
from zeroply.evals.rating import Group, rating
from zeroply.evals.rungs import Climb
from zeroply.games import Game
from zeroply.players import Player

FIRST_PAIRS = 2
"""At every rung."""
NEAR = 400
"""Elo: beyond, less than a tenth of the points is expected for one side."""

Rungs = dict[int, list[PlayedGame]]
"""Games by the rating of the opponent, from the lowest."""


@dataclass(frozen=True, kw_only=True)
class LadderResult:
    """The games of A; it has the first move in those with even numbers."""

    game: Game
    name: str
    scale: str
    """What a rating here means: of which engine, at which limit."""
    rungs: Rungs

    def summary(self) -> dict[str, Any]:
        """One flat object for JSON, seen from A."""
        played = sorted((one for rung in self.rungs.values() for one in rung), key=lambda one: one.number)
        groups = _groups(self.rungs)
        rated = rating(groups)
        found = {
            "model": self.name,
            "game": self.game.name,
            "scale": self.scale,
            **tally(played),
            "pairs": len(groups),
            **named("elo", rated[:3]),
            "chi_square": rated.chi_square,
            "freedom": rated.freedom,
            **endings(played),
        }
        for rung, own in self.rungs.items():
            score = asdict(estimate([[points for _, points in group] for group in _groups({rung: own})]))
            some = {name: value for name, value in score.items() if name.startswith("score")}
            found |= within({**tally(own), **some}, "rung", str(rung))
        return found


def play_ladder(
    a: Player,
    climb: Climb,
    game: Game,
    games: int,
    openings: Sequence[str],
    *,
    ply_limit: int = PLY_LIMIT,
    workers: int = 1,
    file: MatchFile | None = None,
    progress: Callable[[LadderResult], None] = lambda _: None,
) -> LadderResult:
    """Play so many games, a pair from each opening, both colours. `file` and `workers` as in `play_match`."""
    rungs = climb.rungs
    pairs = (games + 1) // 2
    if pairs < len(rungs) or not openings:
        raise ZeroplyError(
            f"{games} games are too few for {len(rungs)} rungs: each needs two. Ask for --games "
            f"{2 * len(rungs)}, or for fewer rungs: a larger --step, a higher --lowest or a lower --highest"
        )
    if file is not None:
        file.only(games)
    found: Rungs = {}

    def play(chosen: Sequence[int], first: int, last: int) -> None:
        for place, rung in enumerate(chosen):
            numbers = [
                number
                for pair in range(first + place, last, len(chosen))
                for number in (2 * pair, 2 * pair + 1)
                if number < games
            ]
            before = found.get(rung, [])

            def told(
                played: Sequence[PlayedGame], rung: int = rung, before: list[PlayedGame] = before
            ) -> None:
                found[rung] = [*before, *played]
                progress(result())

            them = climb.opponent(rung)
            try:
                play_on(
                    game,
                    [pairing(number, openings, a, them) for number in numbers],
                    ply_limit=ply_limit,
                    workers=workers,
                    file=file,
                    progress=told,
                )
            finally:
                them.close()

    def result() -> LadderResult:
        return LadderResult(game=game, name=a.name, scale=climb.scale, rungs=dict(sorted(found.items())))

    beginning = min(pairs, FIRST_PAIRS * len(rungs))
    play(rungs, 0, beginning)
    if beginning < pairs:
        play(near(rungs, rating(_groups(found))[:3]), beginning, pairs)
    return result()


def near(rungs: Sequence[int], found: Sequence[float | None]) -> list[int]:
    """The rungs where games tell something about a player of this rating, or of this end of an interval."""
    mine = next(value for value in found if value is not None)
    return [rung for rung in rungs if abs(rung - mine) <= NEAR] or [
        min(rungs, key=lambda rung: abs(rung - mine))
    ]


def _groups(rungs: Rungs) -> list[Group]:
    """The opponent's rating and A's points in games, together those that resemble each other."""
    return [
        [(float(rung), points_of_a(one)) for one in games]
        for rung, own in rungs.items()
        for games in together(own)
    ]
