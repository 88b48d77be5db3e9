"""Replay of stored games to full rows on one core, against python-chess filling the same rows."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import chess
import numpy as np
from numpy.typing import NDArray

from bench.timing import seconds
from zeroply.corpus.readers import Skipped, read
from zeroply.corpus.replay import replay
from zeroply.corpus.sample import BLOCK
from zeroply.corpus.score import Score
from zeroply.games import Game, game_named

SAMPLE = Path(__file__).parent.parent / "examples" / "games.pgn"


def main() -> None:
    game = game_named("chess")
    found = [item for item in read(SAMPLE, game) if not isinstance(item, Skipped) and item.start is None]
    moves = np.concatenate([np.asarray(item.moves, np.int16) for item in found])
    lengths = np.array([len(item.moves) for item in found])
    copies = BLOCK // len(moves)  # the sample is small; training replays a block
    many, all_lengths = np.tile(moves, copies), np.tile(lengths, copies)

    ours = replay(game, moves, lengths).state
    for name, column in by_python_chess(game, found, len(moves)).items():
        np.testing.assert_array_equal(ours[name], column, err_msg=name)

    # In turns, and the median: others who use the machine meanwhile disturb a single comparison.
    times = np.array(
        [
            (
                seconds(lambda: replay(game, many, all_lengths), tries=1),
                seconds(lambda: by_python_chess(game, found, len(moves)), tries=1),
            )
            for _ in range(5)
        ]
    )
    speed, theirs = np.array([[len(many)], [len(moves)]]) / times.T
    print(
        f"replay to full rows: {np.median(speed):,.0f} positions/s, "
        f"{np.median(speed / theirs):.0f}× python-chess ({np.median(theirs):,.0f})"
    )


def by_python_chess(game: Game, games: Sequence[Score], total: int) -> dict[str, NDArray[Any]]:
    """The same rows, as fast as we know how to get them from it: its bitboards are noted position by position
    and become codes all at once; equal positions are counted by its own key of them."""
    rows = {name: np.zeros((total, *column.shape), column.dtype) for name, column in game.columns.items()}
    masks = np.zeros((total, 8), np.uint64)
    rights, listed = [], [chess.Move.from_uci(name) for name in game.moves.names]
    _, turn, _, en_passant, halfmove, repeats, ply = rows.values()
    at = 0
    for item in games:
        board = chess.Board()
        before: dict[object, int] = {}
        for number in item.moves:
            masks[at] = (
                *board.occupied_co,
                *(board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings),
            )
            turn[at] = not board.turn
            rights.append(board.castling_rights)
            en_passant[at] = board.ep_square if board.has_legal_en_passant() else -1
            halfmove[at] = board.halfmove_clock
            key = board._transposition_key()
            repeats[at] = before[key] = before.get(key, -1) + 1
            ply[at] = board.ply()
            board.push(listed[int(number)])
            at += 1
    bits = np.unpackbits(masks.view(np.uint8), axis=1, bitorder="little").reshape(total, 8, 64).view(np.int8)
    black, white = bits[:, 0], bits[:, 1]
    rows["board"][:] = (white - black) * sum(code * bits[:, code + 1] for code in range(1, 7))
    corners = np.array([chess.H1, chess.A1, chess.H8, chess.A8], np.uint64)
    rows["rights"][:] = np.array(rights, np.uint64)[:, None] >> corners & np.uint64(1)
    return rows
