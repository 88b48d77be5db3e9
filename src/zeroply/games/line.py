"""Moves written one after the other: where they lead, or which of them is wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zeroply.errors import IllegalMoveError
from zeroply.games.base import Position


def follow(
    position: Position, texts: Sequence[str], number: Callable[[str], int], *, before: int = 0, hint: str = ""
) -> Position:
    """The position after moves, which `number` reads. A wrong one is named as it was written, with its ply:
    `before` plies came earlier. `hint` tells how moves are written."""
    for ply, text in enumerate(texts, before + 1):
        try:
            move = number(text)
        except IllegalMoveError as error:
            raise IllegalMoveError(f"ply {ply}: {error}") from None
        if move not in position.legal():
            raise IllegalMoveError(f"ply {ply}: '{text}' is not legal in {position.fen()}{hint}")
        position = position.play(move)
    return position
