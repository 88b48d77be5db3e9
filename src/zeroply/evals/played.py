"""A finished game, and its PGN text in the notation of its game."""

from __future__ import annotations

from dataclasses import dataclass

from zeroply.games import Game
from zeroply.games.notation import RESULTS
from zeroply.games.record import written


@dataclass(frozen=True, kw_only=True)
class PlayedGame:
    """A finished game, and why it ended."""

    number: int
    """Its place among those to be played, from 0: games 2i and 2i + 1 of a match share an opening."""
    start: str
    """FEN of the first position."""
    players: tuple[str, str]
    """Who moved the first player's pieces (White, Red), who the second's."""
    moves: tuple[int, ...]
    result: float
    """The first player's points."""
    reason: str
    failed: int | None = None
    """The side that lost because its program broke down, if one did."""
    evaluations: tuple[int, ...] = ()
    """What each position was worth to its mover, who said so: as a corpus stores it. None or all moves'."""


def write_pgn(game: Game, played: PlayedGame) -> str:
    """Tags, moves with numbers, the reason as a comment, the result; a blank line at the end."""
    first, second = game.sides
    tags = {
        "Event": "zeroply match",
        "Site": "?",
        "Date": "????.??.??",
        "Round": f"{played.number // 2 + 1}.{played.number % 2 + 1}",
        first: played.players[0],
        second: played.players[1],
        "Result": RESULTS[played.result],
        "PlyCount": str(len(played.moves)),
        "Termination": "normal" if played.failed is None else "rules infraction",
    }
    start = now = game.start(played.start)
    texts = []
    for move in played.moves:
        texts.append(now.recorded(move))
        now = now.play(move)
    return written(game, tags, start, texts, played.reason)
