"""Moves of a player in many positions, where a program that breaks down costs only the position; one that
breaks down in all of them is given up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zeroply.errors import EngineError
from zeroply.games import Position
from zeroply.players.base import Judge, Player
from zeroply.players.conversation import HOPELESS


class Asking:
    """Asks one player, and counts how often its program broke down."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._failures: list[str] = []
        self._in_succession = 0

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
            move = judge.choice(position, judge.ask(position)).move
        except EngineError as error:
            self._failures.append(str(error))
            self._in_succession += 1
            if self._in_succession == HOPELESS:
                raise EngineError(
                    f"{HOPELESS} failures in succession, at last: {error}. Try the engine by hand, or choose "
                    "another"
                ) from None
            return None
        self._in_succession = 0
        return move
