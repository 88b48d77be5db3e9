"""FENs of xiangqi: one read and judged, many written at once.

Letters as Fairy-Stockfish writes them (elephant B, horse N); E and H are read as well. Fields: board from
rank 9 down, w or b to move (r is read for Red), two dashes, plies since the last capture, number of the move.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from zeroply.errors import PositionError, quoted, shortened
from zeroply.games.base import Rows
from zeroply.games.mistaken import other_game
from zeroply.games.ranks import rank_texts
from zeroply.games.xiangqi import LETTERS, XIANGQI
from zeroply.games.xiangqi.pieces import ADVISOR, ELEPHANT, GENERAL, SOLDIER
from zeroply.games.xiangqi.rules import ACROSS, Board, in_check
from zeroply.games.xiangqi.table import ADVISOR_POINTS, ELEPHANT_POINTS, MIRROR, PALACES, square_name

BY_CODE = "1" + LETTERS + LETTERS[::-1].lower()
"""Letters by piece code: an empty square is 1, negative codes count from the end."""
SYNONYMS = str.maketrans("EHeh", "BNbn")
NAMES = ("soldier", "advisor", "elephant", "horse", "cannon", "chariot", "general")
MOST = (5, 2, 2, 2, 2, 2, 1)
"""Pieces of each kind that a side begins with; none can be won."""
MOST_MOVES = 10_000
"""Absurd clocks are written by no program, but typed by people; a row has room for 16 bits."""

_SOLDIER_POINTS = ACROSS[0] | {9 * rank + file for rank in (3, 4) for file in range(0, 9, 2)}
_POINTS = {
    SOLDIER: _SOLDIER_POINTS,
    ADVISOR: frozenset(square for square in ADVISOR_POINTS if square < 45),
    ELEPHANT: frozenset(square for square in ELEPHANT_POINTS if square < 45),
    GENERAL: frozenset(square for square in PALACES if square < 45),
}
"""The squares that Red's pieces of some kinds can reach; Black's are the mirror image."""


class Fields(NamedTuple):
    """What a FEN says."""

    board: Board
    turn: int
    halfmove: int
    ply: int


def read_fen(fen: str) -> Fields:
    """The fields of a position that can arise; later fields may be left out. PositionError for all else."""
    words = [*fen.split(), *["w", "-", "-", "0", "1"][max(0, len(fen.split()) - 1) :]]
    if not re.fullmatch(r"\S+ [wbr] \S+ \S+ \d{1,9} \d{1,9}", " ".join(words)):
        raise PositionError(
            f"{quoted(fen)} is not a xiangqi position. Give a FEN: board, w or b, two dashes, two numbers"
        )
    board = _read_board(fen, words[0].translate(SYNONYMS))
    if words[2:4] != ["-", "-"]:  # clocks in their place would be lost without a word
        found = shortened(" ".join(words[2:4]))
        raise PositionError(f"{quoted(fen)} has {found} after the side to move, not two dashes")
    turn = int(words[1] == "b")
    flaw = _flaw(board, turn)
    if flaw:
        raise PositionError(f"{quoted(fen)} cannot arise in xiangqi: {flaw}. Check the FEN")
    halfmove, number = (min(int(word), MOST_MOVES) for word in words[4:])
    return Fields(board, turn, halfmove, 2 * (max(number, 1) - 1) + turn)


def _read_board(fen: str, text: str) -> Board:
    ranks = text.split("/")
    if len(ranks) != 10:
        step = other_game(fen, XIANGQI.name) or "Check the FEN"
        raise PositionError(
            f"{quoted(fen)} is not a xiangqi position: it has {len(ranks)} ranks, not 10. {step}"
        )
    board: Board = []
    for rank in reversed(ranks):
        strange = re.search(f"[^1-9{LETTERS}{LETTERS.lower()}]", rank)
        if strange:
            flaw = f"what is '{strange[0]}' in {quoted(rank)}?"
            raise PositionError(f"{quoted(fen)} is not a xiangqi position: {flaw}")
        if runs := re.search(r"\d\d+", rank):
            flaw = f"{quoted(runs[0])} in {quoted(rank)} are two numbers of empty squares"
            raise PositionError(f"{quoted(fen)} is not a xiangqi position: {flaw}")
        letters = re.sub(r"\d", lambda run: "1" * int(run[0]), rank)
        if len(letters) != 9:
            raise PositionError(
                f"{quoted(fen)} is not a xiangqi position: {quoted(rank)} has {len(letters)} files, not 9"
            )
        board += [0 if letter == "1" else _code(letter) for letter in letters]
    return board


def _code(letter: str) -> int:
    code = LETTERS.index(letter.upper()) + 1
    return code if letter.isupper() else -code


def _flaw(board: Board, turn: int) -> str | None:
    """Why a board cannot arise in a game; None if it can."""
    counts = Counter(board)
    for side, colour in enumerate(("red", "black")):
        sign = 1 - 2 * side
        for kind, name, most in zip(range(1, 8), NAMES, MOST, strict=True):
            if counts[kind * sign] > most:
                return f"{counts[kind * sign]} {colour} {name}s"
        if not counts[GENERAL * sign]:
            return f"no {colour} general"
    for square, code in enumerate(board):
        points = _POINTS.get(abs(code))
        if points and (square if code > 0 else MIRROR[square]) not in points:
            return f"a {'red' if code > 0 else 'black'} {NAMES[abs(code) - 1]} on {square_name(square)}"
    for rear, front, soldier, colour in ((27, 36, SOLDIER, "red"), (54, 45, -SOLDIER, "black")):
        for file in range(9):
            if board[rear + file] == board[front + file] == soldier:
                return f"two {colour} soldiers on file {'abcdefghi'[file]} that have not crossed the river"
    if in_check(board, 1 - turn):
        return f"{'black' if turn else 'red'} is to move and could take the general"
    return None


def write_fen(board: Board, turn: int, halfmove: int, ply: int) -> str:
    ranks = (_rank(board[at : at + 9]) for at in range(81, -1, -9))
    return f"{'/'.join(ranks)} {'wb'[turn]} - - {halfmove} {ply // 2 + 1}"


def fens(state: Rows) -> list[str]:
    """[P] each position as `Position.fen` writes it, from its columns."""
    return [
        f"{'/'.join(reversed(ranks))} {'wb'[turn]} - - {halfmove} {ply // 2 + 1}"
        for ranks, turn, halfmove, ply in zip(
            rank_texts(state["board"], XIANGQI.files, _rank),
            state["turn"].tolist(),
            state["halfmove"].tolist(),
            state["ply"].tolist(),
            strict=True,
        )
    ]


def _rank(codes: list[int]) -> str:
    letters = "".join(BY_CODE[code] for code in codes)
    return re.sub(r"1+", lambda run: str(len(run[0])), letters)
