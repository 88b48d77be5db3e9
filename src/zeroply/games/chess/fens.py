"""FENs of many chess positions at once, to and from their columns: a `Position` for each takes far longer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.errors import PositionError
from zeroply.games import Rows
from zeroply.games.chess import CHESS, KING, LETTERS, PAWN
from zeroply.games.chess.bulk import attackers, can_take_en_passant
from zeroply.games.chess.table import square_name
from zeroply.games.ranks import rank_texts

BY_CODE = "1" + LETTERS + LETTERS[::-1].lower()
"""Letters by piece code: an empty square is 1, negative codes count from the end."""
CASTLING = [
    "".join(letter for bit, letter in enumerate("KQkq") if rights >> bit & 1) or "-" for rights in range(16)
]
RIGHTS = {text: rights for rights, text in enumerate(CASTLING)}
SQUARES = [*map(square_name, range(64)), "-"]
"""The last one, by index -1, for none."""
NUMBERS = {name: number for number, name in enumerate(SQUARES[:64])} | {"-": -1}
BY_LETTER = np.zeros(128, np.int8)
"""Piece codes by letter."""
for _code in range(-6, 7):
    BY_LETTER[ord(BY_CODE[_code])] = _code
HOMES = np.array([[4, 7], [4, 0], [60, 63], [60, 56]])
"""Where king and rook stand while they may still castle, for K Q k q."""
MOST_MOVES = 10_000
"""Clocks and move numbers beyond it are cut: they are written by no program, but typed by people."""
CLEAN = re.compile(
    r"(?![^ ]*[1-8]{2})[pnbrqkPNBRQK1-8]{1,8}(?:/[pnbrqkPNBRQK1-8]{1,8}){7}"
    r" [wb] (?:-|(?=\S)K?Q?k?q?) (?:-|[a-h][36])(?: [0-9]{1,4} [0-9]{1,4})?"
)
"""FENs as programs write them, with or without clocks. python-chess reads others too (fewer fields, files of
rooks as castling rights, promoted pieces as Q~): what these mean, only it knows."""


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
    """The columns of sound positions, as `Position.row` has them."""
    fields = [_six_fields(fen if CLEAN.fullmatch(fen) else CHESS.start(fen).fen()) for fen in fens]
    letters = _squares("".join(placed for placed, *_ in fields)).replace("/", "").encode("ascii")
    board = BY_LETTER[np.frombuffer(letters, np.uint8)].reshape(-1, 8, 8)[:, ::-1].reshape(-1, 64)
    turn = np.array([mover == "b" for _, mover, *_ in fields], np.bool_)
    clocks = np.array([(int(half), max(int(full), 1)) for *_, half, full in fields], np.int64).reshape(-1, 2)
    halfmove, fullmove = clocks.T
    told = (
        np.array([RIGHTS[castling] for _, _, castling, *_ in fields], np.int64)[:, None] >> np.arange(4) & 1
    )
    at_home = np.abs(board[:, HOMES]) == [[6, 4]] * 4  # [k, 4, 2]
    right_side = np.sign(board[:, HOMES]) == np.array([1, 1, -1, -1])[:, None]
    found: dict[str, Any] = {
        "board": board,
        "turn": turn,
        "rights": told & (at_home & right_side).all(-1),
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
    fields = fen.split(" ")
    return fields if len(fields) == 6 else [*fields, "0", "1"]


def _squares(placed: str) -> str:
    """The board part of a FEN with a letter for every square."""
    for count in "2345678":
        placed = placed.replace(count, int(count) * "1")  # far sooner than `translate`
    return placed


def examined(fens: Sequence[str]) -> tuple[dict[str, NDArray[Any]], dict[int, str]]:
    """The columns of those that are positions, and what is wrong with the others, by their place. Most are
    sound, and that is seen for all of them at once; the others are looked at one by one."""
    whole = np.array([at for at, fen in enumerate(fens) if _is_whole(fen)], np.int64)
    state = rows([fens[at] for at in whole])
    sure = _is_surely_sound(state)
    odd, flaws = list[int](), dict[int, str]()
    for at in np.setdiff1d(np.arange(len(fens)), whole[sure]).tolist():
        try:
            CHESS.start(fens[at])
            odd.append(at)
        except PositionError as error:
            flaws[at] = str(error)
    others = rows([fens[at] for at in odd])
    order = np.argsort([*whole[sure].tolist(), *odd])
    return {name: np.concatenate([state[name][sure], others[name]])[order] for name in state}, flaws


def _is_whole(fen: str) -> bool:
    """Clean, with eight squares a rank, and without en passant, which takes a closer look."""
    if not CLEAN.fullmatch(fen):
        return False
    placed, _, _, passant, *_ = fen.split(" ", 4)
    squares = _squares(placed)
    return passant == "-" and len(squares) == 71 and squares[8::9] == 7 * "/"


def _is_surely_sound(state: Rows) -> NDArray[np.bool_]:
    """[k] false also for some sound positions: those with two checks, which may be impossible ones."""
    board, mover = state["board"], 1 - 2 * state["turn"]
    sound: NDArray[np.bool_] = ~(np.abs(board[:, [*range(8), *range(56, 64)]]) == PAWN).any(axis=1)
    for side in (1, -1):
        own = board * side
        sound &= (own == KING).sum(axis=1) == 1
        sound &= (own == PAWN).sum(axis=1) <= 8
        sound &= (own > 0).sum(axis=1) <= 16
        checks = attackers(board, (own == KING).argmax(axis=1), np.full(len(board), -side))
        sound &= checks <= (mover == side)
    return sound
