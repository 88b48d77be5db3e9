"""Words behind `go`, looked through for what makes no sense: the rest of a command is obeyed all the same."""

from __future__ import annotations

from collections.abc import Sequence

from zeroply.games import Game
from zeroply.players.dialects import Dialect, moves_among
from zeroply.players.options import whole

FLAGS = frozenset({"infinite", "ponder", "draw"})
"""Those that stand alone. UCCI asks by the last whether a draw is accepted, which it never is."""


def flaw_in_go(dialect: Dialect, game: Game, words: Sequence[str]) -> str | None:
    """What makes no sense among the words behind `go`; None where all does."""
    at = 0
    while at < len(words):
        word, following = words[at], words[at + 1 : at + 2]
        if word in dialect.limits:
            number = whole(following[0]) if following else None
            endless = word == "depth" and following == ["infinite"]
            if (number is None or number < 0) and not endless:
                return f"'{' '.join([word, *following])}' will not do: {word} has a whole number, 0 or more"
            at += 2
        elif word == "searchmoves":
            moves = moves_among(dialect, game, words[at + 1 :])
            if not moves:
                return f"'{' '.join([word, *following])}' will not do: searchmoves has moves behind it"
            at += 1 + len(moves)
        elif word in FLAGS:
            at += 1
        else:
            known = sorted({*dialect.limits, *FLAGS, "searchmoves"})
            return f"'{word}' behind go is unknown. Known: {', '.join(known)}"
    return None
