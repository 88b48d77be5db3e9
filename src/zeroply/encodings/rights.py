"""Castling and en passant as numbers in one order: the rights of both sides, whether a pawn may be taken en
passant, and on which file: 4 + 1 + 8 in chess.

Shapes: B batch, R rights of both sides, F files.
"""

from __future__ import annotations

import torch
from torch import Tensor

from zeroply.encodings.turning import swap_sides
from zeroply.games import Game


def count_of_rights(game: Game) -> int:
    """R + 1 + F."""
    sides: int = game.columns["rights"].shape[0]
    return sides + 1 + game.files


def told_rights(rights: Tensor, en_passant: Tensor, files: int) -> Tensor:
    """[B, R] and [B] squares, -1 for none -> [B, R + 1 + F] of 0 and 1."""
    passed = en_passant.long()[:, None]
    possible = passed >= 0
    on_file = possible & (passed % files == torch.arange(files, device=passed.device))
    return torch.cat([rights.long(), possible.long(), on_file.long()], 1)


def turned_rights(told: Tensor, turned: Tensor, files: int) -> Tensor:
    """[B, R + 1 + F], sides exchanged where `turned` [B]; a turned board keeps its files."""
    sides, passing = told[:, : -1 - files], told[:, -1 - files :]
    return torch.cat([swap_sides(sides, turned[:, None]), passing], 1)
