"""Hiding what a live position may lack, so that a bare FEN or an unknown player does not puzzle a net."""

from __future__ import annotations

import torch
from torch import Tensor

from zeroply.corpus.told import UNKNOWN

HIDDEN = {"past": -1, **{name: int(unknown) for name, unknown in UNKNOWN.items()}}
"""Columns that may be unknown in play, and what stands for unknown."""


def forget(rows: dict[str, Tensor], share: float, seed: int, step: int) -> dict[str, Tensor]:
    """Rows [B] with each column hidden in about `share` of them; seed and step alone decide in which."""
    if share == 0:
        return rows
    device = rows["past"].device
    generator = torch.Generator(device).manual_seed(seed * 1_000_003 + step)
    hidden = {}
    for name, unknown in HIDDEN.items():
        column = rows[name]
        lost = torch.rand(len(column), device=device, generator=generator) < share
        hidden[name] = torch.where(lost.view(-1, *[1] * (column.ndim - 1)), unknown, column)
    return {**rows, **hidden}
