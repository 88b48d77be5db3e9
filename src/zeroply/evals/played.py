"""A finished game, and its PGN text as records of its game are written."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from zeroply.games import Game
from zeroply.games.notation import RESULTS


@dataclass(frozen=True, kw_only=True)
class PlayedGame:
    """A finished game of a match, and why it ended."""

    number: int
    """Its place in the match, from 0: games 2i and 2i + 1 share an opening."""
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


def write_pgn(game: Game, played: PlayedGame) -> str:
    """Tags, moves with numbers, the reason as a comment, the result; a blank line at the end."""
    result = RESULTS[played.result]
    tags = {
        **game.record_tags,
        "Event": "zeroply match",
        "Site": "?",
        "Date": "????.??.??",
        "Round": f"{played.number // 2 + 1}.{played.number % 2 + 1}",
        **dict(zip(game.sides, played.players, strict=True)),
        "Result": result,
        "PlyCount": str(len(played.moves)),
        "Termination": "normal" if played.failed is None else "rules infraction",
    }
    position = game.start(played.start)
    if position.fen() != game.start().fen():
        tags |= {"SetUp": "1", "FEN": position.fen()}
    words = []
    for number, move in enumerate(played.moves):
        if position.turn == 0:
            words.append(f"{position.ply // 2 + 1}.")
        elif number == 0:
            words.append(f"{position.ply // 2 + 1}...")
        words.append(position.recorded(move))
        position = position.play(move)
    words += [f"{{{_comment(played.reason)}}}", result]
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items()]
    return "\n".join([*lines, "", *textwrap.wrap(" ".join(words), 79), "", ""])


def _quoted(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _comment(text: str) -> str:
    """A comment ends at the first closing brace and cannot hold one."""
    return " ".join(text.split()).replace("{", "(").replace("}", ")")
