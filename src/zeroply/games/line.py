"""Moves written one after the other: where they lead, or which of them is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from zeroply.errors import IllegalMoveError, quoted
from zeroply.games.base import Position


def as_people_write(position: Position, text: str) -> int:
    """The legal move that a person means."""
    return position.number(text)


def steps(
    position: Position,
    texts: Sequence[str],
    number: Callable[[Position, str], int] = as_people_write,
    *,
    before: int = 0,
) -> Iterator[tuple[Position, int, Position]]:
    """Each position, the move that is made in it, which `number` reads, and where it leads. A wrong one is
    named as it was written, with its ply: `before` plies came earlier."""
    for ply, text in enumerate(texts, before + 1):
        try:
            move = number(position, text)
        except IllegalMoveError as error:
            raise IllegalMoveError(f"ply {ply}: {error}") from None
        if move not in position.legal():
            raise IllegalMoveError(f"ply {ply}: {quoted(text)} is not legal in {position.fen()}")
        after = position.play(move)
        yield position, move, after
        position = after


def follow(
    position: Position,
    texts: Sequence[str],
    number: Callable[[Position, str], int] = as_people_write,
    *,
    before: int = 0,
) -> Position:
    """The position after moves, as `steps` makes them."""
    for _, _, after in steps(position, texts, number, before=before):
        position = after
    return position
