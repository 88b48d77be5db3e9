"""Moves of a player in many positions, where a program that breaks down costs only the position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zeroply.errors import EngineError
from zeroply.games import Position
from zeroply.players.base import Judge, Player


class Asking:
    """Asks one player, and counts how often its program broke down."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._failures: list[str] = []

    def moves(self, positions: Sequence[Position]) -> list[int | None]:
        """None where there was no answer."""
        if not isinstance(self._player, Judge):
            return [*self._player.choose(positions)]
        return [self._move(self._player, position) for position in positions]

    def about(self) -> dict[str, Any]:
        """Nothing, where nothing went wrong."""
        return {"crashes": len(self._failures), "first_crash": self._failures[0]} if self._failures else {}

    def _move(self, judge: Judge, position: Position) -> int | None:
        try:
            return judge.choice(position, judge.ask(position)).move
        except EngineError as error:
            self._failures.append(str(error))
            return None
