"""A net that counts pieces, with whatever outputs a test wants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.sources import CHESS
from zeroply.games import Game, Rows

PAWNS = np.array([0, 1, 3, 3, 5, 9, 0, 0])
"""By the codes of chess; enough to tell some pieces of xiangqi apart too."""


class MaterialNet:
    """`evaluation` counts the mover's pawns more than the other's, at 50 centipawns; `value` and `wdl` say
    the same; `policy` likes all moves alike."""

    game: Game = CHESS
    history = 0
    reads: tuple[str, ...] = ("board", "turn")
    about: Mapping[str, Any] = {}

    def __init__(self, *outputs: str) -> None:
        self.outputs = outputs
        self.most_rows = 0

    def __call__(self, rows: Rows) -> dict[str, NDArray[np.float32]]:
        self.most_rows = max(self.most_rows, len(rows["turn"]))
        board = rows["board"].astype(np.int64)
        more = (np.sign(board) * PAWNS[np.abs(board)]).sum(1) * np.where(rows["turn"] == 0, 1, -1)
        value = 1 / (1 + np.exp(-more / 4))
        known = {
            "policy": np.full((len(more), len(self.game.moves)), -np.log(len(self.game.moves))),
            "evaluation": 50 * more / 1500,
            "value": value,
            "wdl": np.log(np.stack([value**2, 2 * value * (1 - value), (1 - value) ** 2], 1)),
        }
        return {name: known[name].astype(np.float32) for name in self.outputs}
