"""Nets of a few lines whose numbers are known beforehand: they read the labels, or nothing at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.sources import CHESS
from zeroply.games import Game, Rows

Answer = Callable[[Rows], NDArray[Any]]


class Answers:
    """A net that returns what functions of the rows say, labels and all."""

    history = 0
    reads: tuple[str, ...] = ("move",)

    def __init__(self, game: Game = CHESS, /, **answers: Answer) -> None:
        self.game, self.outputs = game, tuple(answers)
        self.about: Mapping[str, Any] = {}
        self._answers = answers

    def __call__(self, rows: Rows) -> dict[str, NDArray[np.float32]]:
        with np.errstate(divide="ignore"):
            return {name: answer(rows).astype(np.float32) for name, answer in self._answers.items()}


def knows(knowledge: float, game: Game = CHESS) -> Answer:
    """A policy that gives the played move that share of the mass, and the rest evenly to all moves."""

    def policy(rows: Rows) -> NDArray[Any]:
        shares = np.full((len(rows["move"]), len(game.moves)), (1 - knowledge) / len(game.moves))
        shares[np.arange(len(shares)), rows["move"]] += knowledge
        found: NDArray[Any] = np.log(shares)
        return found

    return policy


def any_legal(game: Game = CHESS, seed: int = 0) -> Answer:
    """A policy over legal moves alone, in a random order that has nothing to do with the position."""
    random = np.random.default_rng(seed)

    def policy(rows: Rows) -> NDArray[Any]:
        shares = random.random((len(rows["move"]), len(game.moves))) * game.legal(rows)
        found: NDArray[Any] = np.log(shares / shares.sum(1, keepdims=True))
        return found

    return policy
