"""How the pieces of each game look, by their codes: in words, in one character, in letters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from zeroply.games import Game


@dataclass(frozen=True, kw_only=True)
class Look:
    """Each by kind, in the order of the piece codes."""

    kinds: tuple[str, ...]
    characters: tuple[str, str]
    """The first player's, then the second's; those of chess are alike, and colours tell the sides apart."""
    letters: str
    """Where colours or characters are wanting: large ones are the first player's."""
    on_points: bool
    """Whether pieces stand where lines cross, not between them."""

    def character(self, code: int) -> str:
        return self.characters[int(code < 0)][abs(code) - 1]

    def letter(self, code: int) -> str:
        letter = self.letters[abs(code) - 1]
        return letter if code > 0 else letter.lower()

    def name(self, game: Game, code: int) -> str:
        """`white-pawn`, `red-soldier`."""
        return f"{game.sides[int(code < 0)].lower()}-{self.kinds[abs(code) - 1]}"


LOOKS: Mapping[str, Look] = {
    "chess": Look(
        kinds=("pawn", "knight", "bishop", "rook", "queen", "king"),
        characters=("♟♞♝♜♛♚", "♟♞♝♜♛♚"),
        letters="PNBRQK",
        on_points=False,
    ),
    "xiangqi": Look(
        kinds=("soldier", "advisor", "elephant", "horse", "cannon", "chariot", "general"),
        characters=("兵仕相馬炮車帥", "卒士象馬砲車將"),
        letters="PAEHCRK",
        on_points=True,
    ),
}
"""By the games' names."""
