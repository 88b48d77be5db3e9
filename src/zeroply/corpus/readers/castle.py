"""The text files of seed 000.

    castle_dataset_split_N.txt   a line a move, `move_index|board|rights`: the table's number of the move, the
                                 board before it (64 codes, a1 first; P N B R Q K are 1 … 6, Black's negative)
                                 and 0 or 1 for K, Q, k, q, an en passant capture, White to move
    3_uci_moves_with_board_state_and_index.txt   the same in one file
    2_uci_moves_dataset.txt      a line a game, its moves in UCI

A game begins at the first position, and never goes on in another file. So a game that comes back to the first
position with all its rights is read as two.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from zeroply.corpus.readers.base import Reader
from zeroply.corpus.readers.checked import Claim, checked
from zeroply.corpus.readers.pieces import Piece, at_any_line, text_pieces
from zeroply.corpus.score import Score, Skipped
from zeroply.corpus.scores import Scores, gather
from zeroply.errors import ReadError
from zeroply.games import Game

NAME = re.compile(
    r"(castle_dataset_split_(\d+)|3_uci_moves_with_board_state_and_index|2_uci_moves_dataset)\.txt"
)
INDEX = re.compile(r"[0-9]{1,9}")
FIRST_RIGHTS = "111101"
FIRST_BOARD = "4,2,3,5,6,3,2,4," + 8 * "1," + 32 * "0," + 8 * "-1," + "-4,-2,-3,-5,-6,-3,-2,-4"
FIRST_LINE = re.compile(rf"^.*\| *{FIRST_BOARD.replace(',', ' *, *')} *\| *{FIRST_RIGHTS}", re.MULTILINE)


def is_named(path: Path) -> bool:
    """Whether this is one of the seed's files, perhaps compressed."""
    return NAME.match(path.name) is not None


def split_files(folder: Path) -> list[Path]:
    """The split files of a folder, of its `split` or of an export, by number; none if it is another kind of
    folder."""
    places = "*.txt*", "split/*.txt*", "dataset/split/*.txt*"
    found = {path: NAME.match(path.name) for place in places for path in folder.glob(place)}
    numbered = [(int(match[2]), path) for path, match in found.items() if match and match[2]]
    return [path for _, path in sorted(numbered)]


def _pieces(source: Path) -> Iterator[Piece]:
    """Of one file, or of all split files of a folder one after another: one that breaks off does not keep the
    others from being read."""
    paths = split_files(source) if source.is_dir() else [source]
    flaws = list[str]()
    for number, path in enumerate(paths):
        try:
            for piece in text_pieces(path, at_any_line if _has_games_by_line(path) else _before_a_game):
                yield replace(piece, share=(number + piece.share) / len(paths))
        except ReadError as error:
            flaws.append(str(error))
    if flaws:
        raise ReadError(" ".join(flaws))


def _parse(piece: Piece, game: Game) -> Scores:
    lines, name = io.StringIO(piece.text), piece.path.name
    claims = _games_by_line(lines) if _has_games_by_line(piece.path) else _games(lines, name, game)
    return gather(checked(claims, game, name))


READER = Reader(_pieces, _parse, only="chess")


def _has_games_by_line(path: Path) -> bool:
    return path.name.startswith("2_")


def _before_a_game(text: str) -> int:
    return max((found.start() for found in FIRST_LINE.finditer(text)), default=0)


def _games_by_line(lines: Iterable[str]) -> Iterator[Claim]:
    for number, line in enumerate(filter(str.strip, lines), 1):
        yield Claim(number, line.split(), Score(moves=()))


def _games(lines: Iterable[str], source: str, game: Game) -> Iterator[Claim | Skipped]:
    names = game.moves.names
    number, moves, flaw = 0, list[str](), None

    def ended() -> Claim | Skipped:
        return Claim(number, moves, Score(moves=())) if flaw is None else Skipped(source, number, flaw)

    for line_number, line in enumerate(lines, 1):
        index, _, position = line.strip().replace(" ", "").partition("|")
        if not index:
            continue
        board, _, rights = position.partition("|")
        if (board, rights) == (FIRST_BOARD, FIRST_RIGHTS):
            if number:
                yield ended()
            number, moves, flaw = number + 1, [], None
        elif not number:
            number, flaw = 1, "it does not begin at the first position"
        if INDEX.fullmatch(index) and int(index) < len(names) and len(rights) == 6:
            moves.append(names[int(index)])
        else:
            flaw = flaw or f"line {line_number}: '{line.strip()[:40]}' is no move_index|board|rights"
    if number:
        yield ended()
