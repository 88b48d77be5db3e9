"""How people and programs write xiangqi moves.

h2e2      the move table, UCCI and the command line: ranks 0 to 9
h3e3      UCI and Fairy-Stockfish: ranks 1 to 10, so that one's move is often another one of the other's
H2-E2     ICCS, in game records
C2.5      WXF, in English: piece, file from the mover's right, + ahead - back . aside, steps or file reached
炮二平五   the same in Chinese; Black's numbers are 1 to 9
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from zeroply.errors import IllegalMoveError, quoted
from zeroply.games.xiangqi.pieces import ADVISOR, ELEPHANT
from zeroply.games.xiangqi.rules import Board, Step

WXF_LETTERS = "PAEHCRK"
CHINESE_PIECES = ("兵仕相马炮车帅", "卒士象马炮车将")
CHINESE_NUMBERS = ("一二三四五六七八九", "123456789")
SAME = str.maketrans("=NBnb—馬傌車俥砲帥將進後仕象卒将", ".HEHE-马马车车炮帅帅进后士相兵帅")
"""Other ways to write WXF and Chinese: traditional characters, and those of the other side's pieces, which
many write for both."""
_NUMBER, _PIECE = "[1-9一二三四五六七八九]", "兵士相马炮车帅"
WELL_WRITTEN = re.compile(
    r"[PAEHCRK1-9+-][1-9+-][.+-][1-9]"
    rf"|([{_PIECE}前中后]|{_NUMBER})([{_PIECE}]|{_NUMBER})[退平进]{_NUMBER}"
)
"""A move in some position, in WXF or Chinese as it is compared."""


def to_uci(name: str) -> str:
    return re.sub(r"\d", lambda rank: str(int(rank[0]) + 1), name)


def to_iccs(name: str) -> str:
    return f"{name[:2]}-{name[2:]}".upper()


def from_iccs(text: str) -> str | None:
    """The move table's name of a move in ICCS or UCCI, in small letters or large; None for other texts."""
    squares = re.fullmatch(r"([a-i]\d+)-?([a-i]\d+)", text.strip().lower())
    return squares and squares[1] + squares[2]


def wxf(board: Board, step: Step) -> str:
    """A move of the piece on the square left."""
    code = board[step[0]]
    piece, file = WXF_LETTERS[abs(code) - 1], str(_file(step[0], int(code < 0)))
    place, rivals, files = _tandem(board, step[0])
    who = piece + file
    if rivals > 1:
        behind = 2 * place - (rivals - 1)  # 0 in the middle, below 0 in front of it
        sign = "+" if behind < 0 else "-" if behind > 0 else file
        outermost_of_many = abs(behind) > 2
        who = (file if files > 1 else sign if outermost_of_many else piece) + sign
    sense, count = _way(board, step)
    return f"{who}{'-.+'[sense + 1]}{count}"


def chinese(board: Board, step: Step) -> str:
    """A move of the piece on the square left."""
    side, kind = int(board[step[0]] < 0), abs(board[step[0]])
    numbers, piece = CHINESE_NUMBERS[side], CHINESE_PIECES[side][kind - 1]
    file = numbers[_file(step[0], side) - 1]
    place, rivals, files = _tandem(board, step[0])
    who = piece + file
    if rivals > 1:
        middle = "中" if rivals == 3 else "一二三四五"[place]
        order = "前" if place == 0 else "后" if place == rivals - 1 else middle
        who = order + (file if files > 1 else piece)
    sense, count = _way(board, step)
    return f"{who}{'退平进'[sense + 1]}{numbers[count - 1]}"


def from_text(board: Board, steps: Collection[Step], text: str) -> Step:
    """The one of some moves that is written so, in WXF or Chinese; full-width characters are as good."""
    wanted = unicodedata.normalize("NFKC", text).strip().translate(SAME).upper()
    for step in steps:
        if wanted in (wxf(board, step), chinese(board, step).translate(SAME)):
            return step
    if meant := [step for step in steps if wanted in _if_alone(board, step)]:
        named = " or ".join(wxf(board, step) for step in meant)
        raise IllegalMoveError(f"{quoted(text)} does not say which piece of that file goes. Write {named}")
    advice = "" if WELL_WRITTEN.fullmatch(wanted) else ". Write it in WXF or Chinese: C2.5, 炮二平五"
    raise IllegalMoveError(f"{quoted(text)} is not a legal move here{advice}")


def _if_alone(board: Board, step: Step) -> tuple[str, str]:
    """How the move would be written if no piece like it stood on its file: in WXF and in Chinese."""
    alone = [0] * len(board)
    alone[step[0]] = board[step[0]]
    return wxf(alone, step), chinese(alone, step).translate(SAME)


def _file(square: int, side: int) -> int:
    """1 to 9, from that side's right."""
    return square % 9 + 1 if side else 9 - square % 9


def _way(board: Board, step: Step) -> tuple[int, int]:
    """1 ahead, 0 aside, -1 back, as the mover sees it; and the steps along a file, else the file reached."""
    start, end = step
    side = int(board[start] < 0)
    ranks = (end // 9 - start // 9) * (1 - 2 * side)
    sense = (ranks > 0) - (ranks < 0)
    if start % 9 == end % 9:
        return sense, abs(ranks)
    return sense, _file(end, side)


def _tandem(board: Board, square: int) -> tuple[int, int, int]:
    """Among its like on the file: which from the front, of how many, and on how many files there are several.

    Advisors and elephants are told apart by where they go.
    """
    code = board[square]
    if abs(code) in (ADVISOR, ELEPHANT):
        return 0, 1, 0
    files = [[other for other in range(file, 90, 9) if board[other] == code] for file in range(9)]
    own = files[square % 9] if code < 0 else files[square % 9][::-1]
    return own.index(square), len(own), sum(len(like) > 1 for like in files)
