"""Moves with the letters of other languages: parsers skip a letter that they do not know and take for a move
what follows, so that a German knight's Sf3 would become a pawn's f3."""

from __future__ import annotations

import re

SQUARES = "[a-h]?[1-8]?x?[a-h][1-8]"
LATIN = re.compile(f"[ACDFGHIJLMSTUVWYZ]{SQUARES}")
ALL = re.compile(f"[ACDFGHIJLMSTUVWYZ\u0410-\u042f]{SQUARES}")
"""Slower, and few files need it."""
COMMENT = re.compile(r"\{[^}]*\}|;[^\n]*")


def has_other_letters(text: str) -> bool:
    """Whether there may be such a move, or only a comment that names one."""
    return bool((LATIN if text.isascii() else ALL).search(text))


def in_other_letters(text: str) -> str | None:
    """The first such move outside comments."""
    found = ALL.search(COMMENT.sub(" ", text)) if has_other_letters(text) else None
    return found and found[0]
