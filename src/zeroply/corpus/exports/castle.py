"""Seed 000's folder, with its names: what `corpus.readers.castle` reads.

    dataset/2_uci_moves_dataset.txt                       a game a line, UCI
    dataset/3_uci_moves_with_board_state_and_index.txt    a position a line, move_index|board|rights
    dataset/split/castle_dataset_split_N.txt              the same lines in files of up to 20,000
    rules_based_mapping/…                                 the numbers of the moves, see `castle_moves`

A game begins at the first position, so games from other positions are left out. It never goes on in another
split file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from zeroply.artefacts import new_folder
from zeroply.corpus.exports.blocks import Block, blocks, count_own
from zeroply.corpus.exports.castle_moves import all_moves, moves_by_piece, write_moves
from zeroply.corpus.store import Corpus
from zeroply.errors import ZeroplyError
from zeroply.games.ranks import rank_texts

LINES = 20_000
"""Of a split file at the most."""
RIGHTS = [f"{number:06b}" for number in range(64)]


def write(corpus: Corpus, games: NDArray[np.int64], out: Path) -> str:
    if out.exists():
        raise ZeroplyError(f"{out} exists. Choose another folder or remove it first")
    pieces = moves_by_piece()
    if all_moves(pieces) != list(corpus.game.moves.names):
        raise ZeroplyError(
            f"{corpus.path} is a corpus of {corpus.game.name}; castle knows the moves of chess. "
            "Try pgn, csv or parquet"
        )
    usual = games[(corpus.starts[games] < 0) & (corpus.past[games] == 0)]
    with new_folder(out) as folder:
        write_moves(folder / "rules_based_mapping", pieces)
        texts = (game for block in blocks(corpus, usual) for game in _games(block))
        files = _write_games(folder / "dataset", texts)
    counts = ", ".join(f"{piece} {len(moves)}" for piece, moves in pieces.items())
    return (
        f"{out}: {count_own(corpus, usual)}, split files: {files:,}; "
        f"{len(games) - len(usual):,} games from other positions and labels left out; "
        f"moves: {counts}, all unique {len(corpus.game.moves):,}"
    )


def _write_games(folder: Path, games: Iterable[tuple[str, list[str]]]) -> int:
    """Write games, each given as its moves and its lines; returns how many split files that took."""
    (folder / "split").mkdir(parents=True)
    files, room = 0, 0
    with ExitStack() as whole, ExitStack() as parts:
        uci = whole.enter_context(_text(folder / "2_uci_moves_dataset.txt"))
        together = whole.enter_context(_text(folder / "3_uci_moves_with_board_state_and_index.txt"))
        for moves, lines in games:
            if not files or len(lines) > room:
                parts.close()
                files, room = files + 1, LINES
                part = parts.enter_context(_text(folder / "split" / f"castle_dataset_split_{files}.txt"))
            uci.write(f"{moves}\n")
            together.writelines(lines)
            part.writelines(lines)
            room -= len(lines)
    return files


def _text(path: Path) -> TextIO:
    return path.open("w", encoding="ascii", newline="\n")


def _games(block: Block) -> Iterator[tuple[str, list[str]]]:
    """Each game as its moves in UCI and as its lines."""
    lines, offsets = _lines(block), [*np.flatnonzero(np.diff(block.rows.game, prepend=-1)), len(block.rows)]
    for first, last in pairwise(offsets):
        yield " ".join(block.names[first:last]), lines[first:last]


def _lines(block: Block) -> list[str]:
    """[P] move_index|board|rights: the board before the move, a1 first; K Q k q, en passant, White moves."""
    state = block.rows.state
    flags = np.column_stack([state["rights"], state["en_passant"] >= 0, state["turn"] == 0])
    boards = rank_texts(state["board"], block.corpus.game.files, lambda codes: ",".join(map(str, codes)))
    return [
        f"{move}|{','.join(board)}|{RIGHTS[rights]}\n"
        for move, board, rights in zip(
            block.rows.moves.tolist(), boards, (flags @ (32, 16, 8, 4, 2, 1)).tolist(), strict=True
        )
    ]
