"""Hiding what a live position may lack, so that a bare FEN or an unknown player does not puzzle a net."""

from __future__ import annotations

import torch
from torch import Tensor

from zeroply.corpus.sample.portion import WHOLE, Portion
from zeroply.corpus.told import UNKNOWN
from zeroply.training.drawn import Chance, drawn, seed_for

HIDDEN = ({"past": -1}, {name: int(unknown) for name, unknown in UNKNOWN.items()})
"""Columns that may be unknown in play, and what stands for unknown: what led to a position, and who plays."""


def forget(
    rows: dict[str, Tensor], share: float, seed: int, step: int, portion: Portion = WHOLE
) -> dict[str, Tensor]:
    """Rows [B], a portion of a batch, with the past hidden in about `share` of them and who plays in as many;
    seed, step and a row's place in the batch alone decide in which."""
    if share == 0:
        return rows
    generator = torch.Generator(rows["past"].device).manual_seed(seed_for(Chance.HIDDEN, seed, step))
    hidden = {}
    for together in HIDDEN:
        lost = drawn(len(rows["past"]), generator, portion) < share
        for name, unknown in together.items():
            column = rows[name]
            hidden[name] = torch.where(lost.view(-1, *[1] * (column.ndim - 1)), unknown, column)
    return {**rows, **hidden}
