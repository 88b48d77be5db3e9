"""How people write what all games share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

Result: TypeAlias = Literal["1-0", "1/2-1/2", "0-1"]
RESULTS: Mapping[float, Result] = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}
"""The first player's points as PGN has them."""
UNKNOWN = "*"


FIELDS = 6
"""Of a FEN."""
LED = "moves"
"""Between a FEN and the moves that led from there to the position that is meant, as UCI has it."""


def led_to(text: str) -> tuple[str, list[str]]:
    """The FEN of a position's text, and the moves after it: `FEN moves e2e4 e7e5`."""
    words = text.split()
    if LED not in words[: FIELDS + 1]:
        return text, []  # what an EPD says later is no move
    at = words.index(LED)
    return " ".join(words[:at]), words[at + 1 :]


def fen_of(words: Sequence[str]) -> str:
    """Of a line's words, the FEN that it begins with. It has two numbers after its four fields; what an EPD
    has there instead are notes."""
    if len(words) < 4:
        return " ".join(words)  # some games let fields be left out
    clocks = words[4:6]
    if not (len(clocks) == 2 and all(word.isdecimal() for word in clocks)):
        clocks = ("0", "1")
    return " ".join([*words[:4], *clocks])
