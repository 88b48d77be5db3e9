"""FENs of many chess positions at once, to and from their columns: a `Position` for each takes far longer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.games import Rows
from zeroply.games.chess import CHESS, LETTERS
from zeroply.games.chess.bulk import can_take_en_passant
from zeroply.games.chess.table import square_name
from zeroply.games.ranks import rank_texts

BY_CODE = "1" + LETTERS + LETTERS[::-1].lower()
"""Letters by piece code: an empty square is 1, negative codes count from the end."""
CASTLING = [
    "".join(letter for bit, letter in enumerate("KQkq") if rights >> bit & 1) or "-" for rights in range(16)
]
SQUARES = [*map(square_name, range(64)), "-"]
"""The last one, by index -1, for none."""
NUMBERS = {name: number for number, name in enumerate(SQUARES[:64])} | {"-": -1}
EMPTY = str.maketrans({str(count): "1" * count for count in range(1, 9)} | {"/": ""})
BY_LETTER = np.zeros(128, np.int8)
"""Piece codes by letter."""
for _code in range(-6, 7):
    BY_LETTER[ord(BY_CODE[_code])] = _code
HOMES = np.array([[4, 7], [4, 0], [60, 63], [60, 56]])
"""Where king and rook stand while they may still castle, for K Q k q."""
MOST_MOVES = 10_000
"""Clocks and move numbers beyond it are cut: they are written by no program, but typed by people."""


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


def rows(fens: Sequence[str]) -> dict[str, NDArray[Any]]:
    """The columns of sound positions, as `Position.row` has them; clocks may be left out."""
    fields = [_six_fields(fen) for fen in fens]
    letters = "".join(placed.translate(EMPTY) for placed, *_ in fields).encode("ascii")
    board = BY_LETTER[np.frombuffer(letters, np.uint8)].reshape(-1, 8, 8)[:, ::-1].reshape(-1, 64)
    turn = np.array([mover == "b" for _, mover, *_ in fields])
    clocks = np.array([(int(half), max(int(full), 1)) for *_, half, full in fields], np.int64).reshape(-1, 2)
    halfmove, fullmove = clocks.clip(max=MOST_MOVES).T
    told = np.array([[letter in castling for letter in "KQkq"] for _, _, castling, *_ in fields], np.bool_)
    at_home = np.abs(board[:, HOMES]) == [[6, 4]] * 4  # [k, 4, 2]
    right_side = np.sign(board[:, HOMES]) == np.array([1, 1, -1, -1])[:, None]
    found: dict[str, Any] = {
        "board": board,
        "turn": turn,
        "rights": told.reshape(-1, 4) & (at_home & right_side).all(-1),
        "en_passant": [NUMBERS[passant] for _, _, _, passant, *_ in fields],
        "halfmove": halfmove,
        "repeats": 0 * halfmove,
        "ply": 2 * (fullmove - 1) + turn,
    }
    columns = {name: np.asarray(found[name]).astype(column.dtype) for name, column in CHESS.columns.items()}
    noted = np.flatnonzero(columns["en_passant"] >= 0)
    vain = noted[~can_take_en_passant({name: column[noted] for name, column in columns.items()})]
    columns["en_passant"][vain] = -1
    return columns


def _six_fields(fen: str) -> list[str]:
    fields = fen.split()
    return fields if len(fields) == 6 else [*fields, *("0", "1")[len(fields) - 4 :]]
