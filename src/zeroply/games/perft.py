"""Counting the ways that a game can go on: the usual test of rules, and of a program's speed."""

from __future__ import annotations

from zeroply.games.base import Position


def perft(position: Position, depth: int) -> int:
    """The number of lines of `depth` moves; the last moves are counted, not played."""
    if depth == 0:
        return 1
    legal = position.legal()
    if depth == 1:
        return len(legal)
    return sum(perft(position.play(int(move)), depth - 1) for move in legal)
