"""Two players that need no training, as a floor for all others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zeroply.games import Position


class RandomPlayer:
    """Any legal move, all equally likely."""

    def __init__(self, seed: int = 0, *, name: str = "random") -> None:
        self.name, self.seed = name, seed
        self._random = np.random.default_rng(seed)

    def choose(self, positions: Sequence[Position]) -> list[int]:
        return self.choose_by(positions, [self._random] * len(positions))

    def choose_by(self, positions: Sequence[Position], lots: Sequence[np.random.Generator]) -> list[int]:
        return [int(lot.choice(position.legal())) for position, lot in zip(positions, lots, strict=True)]

    def close(self) -> None:
        """Nothing to let go of."""


class GreedyPlayer:
    """Wins at once where it can, else takes what is worth most; among equals, any.

    It looks one move ahead and never at the answer. What a piece is worth is its code: a game numbers its
    pieces from the cheapest to the dearest, and captures and promotions raise the mover's sum.
    """

    def __init__(self, seed: int = 0, *, name: str = "greedy") -> None:
        self.name, self.seed = name, seed
        self._random = np.random.default_rng(seed)

    def choose(self, positions: Sequence[Position]) -> list[int]:
        return self.choose_by(positions, [self._random] * len(positions))

    def choose_by(self, positions: Sequence[Position], lots: Sequence[np.random.Generator]) -> list[int]:
        return [_best(position, lot) for position, lot in zip(positions, lots, strict=True)]

    def close(self) -> None:
        """Nothing to let go of."""


PLAYERS: dict[str, type[RandomPlayer] | type[GreedyPlayer]] = {"random": RandomPlayer, "greedy": GreedyPlayer}
"""By the names that they have on a command line."""


def _best(position: Position, lot: np.random.Generator) -> int:
    moves = position.legal()
    worth = np.array([_worth(position.play(int(move)), position.turn) for move in moves])
    return int(lot.choice(moves[worth == worth.max()]))


def _worth(after: Position, mover: int) -> float:
    """How good the position after a move looks to the side that moved."""
    if after.result() == 1.0 - mover:
        return float("inf")
    first_players = int(after.row(0)["board"].sum())
    return float(-first_players if mover else first_players)
