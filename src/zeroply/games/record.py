"""A game as text that people keep and programs read: PGN, with the moves as the game's records have them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence

from zeroply.games.base import Game, Position

WIDTH = 79
"""Characters of a line of moves."""


def written(
    game: Game,
    tags: Mapping[str, str],
    start: Position,
    moves: Sequence[str],
    reason: str | None = None,
) -> str:
    """Tags in their order, among them the Result; moves with numbers; the reason as a comment; the result
    once more, and a blank line at the end. `moves` are texts of `Position.recorded`.
    """
    all_tags = {**game.record_tags, **tags}
    if start.fen() != game.start().fen():
        all_tags |= {"SetUp": "1", "FEN": start.fen()}
    words = []
    for place, text in enumerate(moves):
        turn, number = (start.turn + place) % 2, (start.ply + place) // 2 + 1
        if turn == 0 or place == 0:
            words.append(f"{number}{'...' if turn else '.'}")
        words.append(text)
    if reason:
        words.append(f"{{{_comment(reason)}}}")
    lines = [f'[{name} "{quoted(value)}"]' for name, value in all_tags.items()]
    # H2-E2 is one word, and so is what a reason writes with a hyphen; a path longer than a line stays whole.
    wrapped = textwrap.wrap(
        " ".join([*words, tags["Result"]]), WIDTH, break_on_hyphens=False, break_long_words=False
    )
    return "\n".join([*lines, "", *wrapped, "", ""])


def quoted(value: str) -> str:
    """A tag's value as it stands between quotes; a line end would break it."""
    return re.sub(r"[\r\n]+", " ", value).replace("\\", "\\\\").replace('"', '\\"')


def _comment(text: str) -> str:
    """A comment ends at the first closing brace and cannot hold one."""
    return " ".join(text.split()).replace("{", "(").replace("}", ")")
