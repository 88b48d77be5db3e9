"""Opening, middlegame, endgame: told by the board alone, so that a position needs no game to have a phase."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zeroply.games import Game, Rows

PHASES = ("opening", "middlegame", "endgame")
AT_HOME = 2 / 5
"""An opening has at least this share of all attackers still where they began: 6 in chess, 5 in xiangqi."""
LEFT = 3 / 7
"""An endgame has at most this share of them left: 6 in chess, as Lichess has it, and 5 in xiangqi."""


def phases(game: Game, rows: Rows) -> NDArray[np.int64]:
    """[B] the place in PHASES of each position."""
    board, first = rows["board"], game.first_state()["board"][0]
    attackers = np.isin(abs(board), game.attackers)
    all_of_them = int(np.isin(abs(first), game.attackers).sum())
    opening = (attackers & (board == first)).sum(1) >= AT_HOME * all_of_them
    few = attackers.sum(1) <= LEFT * all_of_them
    return np.where(opening, 0, np.where(few, 2, 1))
