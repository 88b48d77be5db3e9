"""What a move leads to, as labels: columns of the position after it, in NumPy and torch alike.

A stored game has that position as its next row, but not after its last move, and not in a shuffled batch.
"""

from __future__ import annotations

from collections.abc import Collection

from zeroply.games import Game
from zeroply.games.arrays import int64, namespace
from zeroply.games.base import Array

NEXT = "next_"
"""`next_rights` is the column `rights` after the move."""


def following(rows: dict[str, Array], game: Game, reads: Collection[str]) -> dict[str, Array]:
    """Rows [B] with those of the labels `reads` that tell of the position after `move`.

    Any column of the game but `repeats`, which takes all that came before to count.
    """
    wanted = [name for name in reads if name.startswith(NEXT)]
    if not wanted:
        return rows
    # Steps change columns in place, so they get copies.
    state = {name: namespace(rows[name]).concatenate([rows[name]]) for name in game.columns}
    stepper = game.steps(state)
    stepper.step(int64(rows["move"]))
    stepper.settle(stepper.state, stepper.key)
    return {**rows, **{name: stepper.state[name.removeprefix(NEXT)] for name in wanted}}
