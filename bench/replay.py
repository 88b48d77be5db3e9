"""Replay of stored games to full rows on one core, against python-chess filling the same rows."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import chess
import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.readers import read
from zeroply.corpus.replay import replay
from zeroply.corpus.sample.shuffle import BLOCK
from zeroply.corpus.score import Score, Skipped
from zeroply.games import Game, game_named

SAMPLE = Path(__file__).parent.parent / "examples" / "games.pgn"


class Boards(Protocol):
    """A way from python-chess's boards to codes."""

    def __init__(self, total: int) -> None: ...
    def note(self, at: int, board: chess.Board) -> None: ...
    def codes(self) -> NDArray[np.int8]: ...


class PieceByPiece:
    """What python-chess offers for it."""

    def __init__(self, total: int) -> None:
        self._codes = np.zeros((total, 64), np.int8)

    def note(self, at: int, board: chess.Board) -> None:
        row = [0] * 64
        for square, piece in board.piece_map().items():
            row[square] = piece.piece_type if piece.color else -piece.piece_type
        self._codes[at] = row

    def codes(self) -> NDArray[np.int8]:
        return self._codes


class Bitboards:
    """The fastest that we know: its bitboards are noted, and unpacked by NumPy for all positions at once."""

    def __init__(self, total: int) -> None:
        self._masks = np.zeros((total, 8), np.uint64)

    def note(self, at: int, board: chess.Board) -> None:
        kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
        self._masks[at] = (*board.occupied_co, *kinds)

    def codes(self) -> NDArray[np.int8]:
        octets = self._masks.astype("<u8").view(np.uint8)
        bits = np.unpackbits(octets, axis=1, bitorder="little").reshape(-1, 8, 64).view(np.int8)
        black, white = bits[:, 0], bits[:, 1]
        found: NDArray[np.int8] = (white - black) * sum(code * bits[:, code + 1] for code in range(1, 7))
        return found


def main() -> None:
    game = game_named("chess")
    found = [item for item in read(SAMPLE, game) if not isinstance(item, Skipped) and item.start is None]
    moves = np.concatenate([np.asarray(item.moves, np.int16) for item in found])
    lengths = np.array([len(item.moves) for item in found])
    copies = BLOCK // len(moves)  # the sample is small; training replays a block
    many, all_lengths = np.tile(moves, copies), np.tile(lengths, copies)

    ours = replay(game, moves, lengths).state
    for boards in (PieceByPiece, Bitboards):
        for name, column in by_python_chess(game, found, len(moves), boards).items():
            np.testing.assert_array_equal(ours[name], column, err_msg=name)

    def compared() -> list[float]:
        """Positions a second."""
        return [
            len(many) / core_seconds(lambda: replay(game, many, all_lengths)),
            len(moves) / core_seconds(lambda: by_python_chess(game, found, len(moves), PieceByPiece)),
            len(moves) / core_seconds(lambda: by_python_chess(game, found, len(moves), Bitboards)),
        ]

    # In turns, and the median: others who use the machine meanwhile disturb a single comparison.
    speed, pieces, bitboards = np.array([compared() for _ in range(5)]).T
    print(
        f"replay to full rows: {np.median(speed):,.0f} positions/s on one core, "
        f"{np.median(speed / pieces):.0f}× python-chess, "
        f"{np.median(speed / bitboards):.0f}× with its bitboards unpacked all at once"
    )


def core_seconds(work: Callable[[], object]) -> float:
    """Of the processor: nothing here has a second thread, and waiting for others is not our time."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def by_python_chess(
    game: Game, games: Sequence[Score], total: int, way: type[Boards]
) -> dict[str, NDArray[Any]]:
    """The same rows; equal positions are counted by python-chess's own key of them."""
    rows = {name: np.zeros((total, *column.shape), column.dtype) for name, column in game.columns.items()}
    boards, rights, listed = way(total), [], [chess.Move.from_uci(name) for name in game.moves.names]
    at = 0
    for item in games:
        board = chess.Board(item.start or chess.STARTING_FEN)
        before: dict[object, int] = {}
        for number in item.moves:
            boards.note(at, board)
            rows["turn"][at] = not board.turn
            rights.append(board.castling_rights)
            rows["en_passant"][at] = board.ep_square if board.has_legal_en_passant() else -1
            rows["halfmove"][at] = board.halfmove_clock
            key = board._transposition_key()
            rows["repeats"][at] = before[key] = before.get(key, -1) + 1
            rows["ply"][at] = board.ply()
            board.push(listed[int(number)])
            at += 1
    corners = np.array([chess.H1, chess.A1, chess.H8, chess.A8], np.uint64)
    rows["rights"][:] = np.array(rights, np.uint64)[:, None] >> corners & np.uint64(1)
    return {**rows, "board": boards.codes()}
