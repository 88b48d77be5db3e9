"""FENs of many chess positions at once, from their columns: a `Position` for each would take far longer."""

from __future__ import annotations

import re

import numpy as np

from zeroply.games import Rows
from zeroply.games.chess import CHESS, LETTERS
from zeroply.games.chess.table import square_name
from zeroply.games.ranks import rank_texts

BY_CODE = "1" + LETTERS + LETTERS[::-1].lower()
"""Letters by piece code: an empty square is 1, negative codes count from the end."""
CASTLING = [
    "".join(letter for bit, letter in enumerate("KQkq") if rights >> bit & 1) or "-" for rights in range(16)
]
SQUARES = [*map(square_name, range(64)), "-"]
"""The last one, by index -1, for none."""


def fens(state: Rows) -> list[str]:
    """[P] each position as `Position.fen` writes it, from its columns."""
    return [
        f"{'/'.join(reversed(ranks))} {'wb'[turn]} {CASTLING[rights]} {SQUARES[passant]} "
        f"{halfmove} {ply // 2 + 1}"
        for ranks, turn, rights, passant, halfmove, ply in zip(
            rank_texts(state["board"], CHESS.files, _rank),
            state["turn"].tolist(),
            (state["rights"] @ np.array([1, 2, 4, 8])).tolist(),
            state["en_passant"].tolist(),
            state["halfmove"].tolist(),
            state["ply"].tolist(),
            strict=True,
        )
    ]


def _rank(codes: list[int]) -> str:
    letters = "".join(BY_CODE[code] for code in codes)
    return re.sub(r"1+", lambda run: str(len(run[0])), letters)
