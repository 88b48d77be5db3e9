"""A finished game, and its PGN text in the notation of its game."""

from __future__ import annotations

from collections.abc import Mapping
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
    adjudicated: bool = False
    """Whether it was drawn because it had gone on for too long: the board did not say so."""
    evaluations: tuple[int, ...] = ()
    """What each position was worth to its mover, who said so: as a corpus stores it. None or all moves'."""


OURS = "zeroply "
"""How the tag Event begins of all games that are written here, of matches and ladders, and of no others."""
NORMAL, FAILED, ADJUDICATED = "normal", "rules infraction", "adjudication"
"""The tag Termination: of games that the board decided, those in which a program broke down, and those that
went on for too long."""


def tags_before(
    game: Game, number: int, players: tuple[str, str], about: Mapping[str, str]
) -> dict[str, str]:
    """What a PGN's tags say of a game before it is played, with what is told of all of its match."""
    first, second = game.sides
    return {
        "Event": f"{OURS}match",
        "Site": "?",
        "Date": "????.??.??",
        "Round": f"{number // 2 + 1}.{number % 2 + 1}",
        first: players[0],
        second: players[1],
        **about,
    }


def write_pgn(game: Game, played: PlayedGame, about: Mapping[str, str] = {}) -> str:
    """Tags, moves with numbers, the reason as a comment, the result; a blank line at the end. That programs
    play is not among `tags_before`: matches that were begun before it was told go on."""
    tags = {
        **tags_before(game, played.number, played.players, about),
        "Result": RESULTS[played.result],
        "PlyCount": str(len(played.moves)),
        "Termination": ADJUDICATED if played.adjudicated else NORMAL if played.failed is None else FAILED,
        **{f"{side}Type": "program" for side in game.sides},
    }
    start = now = game.start(played.start)
    texts = []
    for move in played.moves:
        texts.append(now.recorded(move))
        now = now.play(move)
    return written(game, tags, start, texts, played.reason)
