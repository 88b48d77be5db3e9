"""Xiangqi as pyffish (Fairy-Stockfish) knows it, with ranks from 1 to 10: FENs, moves and lines for tests."""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyffish
from numpy.typing import NDArray

from zeroply.games import stack

VARIANT = "xiangqi"
START: str = pyffish.start_fen(VARIANT)
CODES = {letter: code for code, letter in enumerate(".PABNCRK")}


def own_name(move: str) -> str:
    """h3e3 there is h2e2 here."""
    return re.sub(r"\d+", lambda rank: str(int(rank[0]) - 1), move)


def their_name(move: str) -> str:
    return re.sub(r"\d", lambda rank: str(int(rank[0]) + 1), move)


def legal_names(fen: str) -> set[str]:
    return {own_name(move) for move in pyffish.legal_moves(VARIANT, fen, [])}


def after(fen: str, moves: Sequence[str]) -> str:
    found: str = pyffish.get_fen(VARIANT, fen, [their_name(move) for move in moves])
    return found


def in_check(fen: str) -> bool:
    """Whether the side to move is; pyffish does not count generals face to face."""
    return bool(pyffish.gives_check(VARIANT, fen, []))


def row_of(fen: str) -> dict[str, NDArray[Any]]:
    """A batch of one."""
    placement, turn, _, _, halfmove, number = fen.split()
    board = np.zeros((1, 90), np.int8)
    for rank, text in enumerate(reversed(placement.split("/"))):
        spread = re.sub(r"\d", lambda empty: "." * int(empty[0]), text)
        assert len(spread) == 9
        for file, letter in enumerate(spread):
            board[0, 9 * rank + file] = CODES[letter.upper()] * (-1 if letter.islower() else 1)
    black = int(turn == "b")
    return {
        "board": board,
        "turn": np.array([black], np.int8),
        "halfmove": np.array([halfmove], np.int16),
        "repeats": np.zeros(1, np.int8),
        "ply": np.array([2 * (int(number) - 1) + black], np.int16),
    }


def rows_of(fens: Sequence[str]) -> dict[str, NDArray[Any]]:
    return stack([row_of(fen) for fen in fens])


class Line(NamedTuple):
    moves: list[str]
    fens: list[str]
    """The position before each move, and the one after the last."""


def line_of(moves: Sequence[str]) -> Line:
    fens = [START]
    for move in moves:
        fens.append(after(fens[-1], [move]))
    return Line(list(moves), fens)


@cache
def random_lines() -> list[Line]:
    """A few games of random legal moves from the first position."""
    rng, found = np.random.default_rng(4), []
    for _ in range(2):
        line = Line([], [START])
        for _ in range(80):
            legal = sorted(legal_names(line.fens[-1]))
            if not legal:
                break
            line.moves.append(str(rng.choice(legal)))
            line.fens.append(after(line.fens[-1], line.moves[-1:]))
        found.append(line)
    return found


def recorded_games(path: Path, count: int) -> Iterator[list[str]]:
    """The first games of a file in ICCS PGN, where a move is written H2-E2."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        moves: list[str] = []
        for line in lines:
            if line.startswith("[") and moves:
                yield moves
                moves, count = [], count - 1
                if not count:
                    return
            if not line.startswith("["):
                moves += [move.lower().replace("-", "") for move in re.findall(r"[A-I]\d-[A-I]\d", line)]
