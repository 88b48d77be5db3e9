"""Legal and pseudo-legal moves of whole batches, against python-chess and against known counts."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import chess
import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.games.hard_positions import BY_NAME, HARD, Hard
from tests.sources import CHESS, games_of, sample_games, shared
from tests.test_layout import modules_after
from zeroply.corpus.replay import replay
from zeroply.corpus.score import Score
from zeroply.errors import MissingExtraError
from zeroply.games import Rows, stack
from zeroply.games.chess import pseudo

TABLE = CHESS.moves
FENS = [case.fen for case in HARD]


def row_of(board: chess.Board) -> dict[str, NDArray[Any]]:
    """The row of a board, with its en-passant square even where no pawn may take there."""
    row = CHESS.start().row(0)
    row["board"][0] = [
        0 if piece is None else (1 if piece.color else -1) * piece.piece_type
        for piece in map(board.piece_at, chess.SQUARES)
    ]
    row["turn"][0] = not board.turn
    corners = (chess.H1, chess.A1, chess.H8, chess.A8)
    row["rights"][0] = [bool(board.clean_castling_rights() & chess.BB_SQUARES[corner]) for corner in corners]
    row["en_passant"][0] = -1 if board.ep_square is None else board.ep_square
    return row


def rows_of(boards: Sequence[chess.Board]) -> dict[str, NDArray[Any]]:
    return stack([row_of(board) for board in boards])


def mirrored(rows: Rows) -> dict[str, NDArray[Any]]:
    """The same positions with the sides changed."""
    return dict(rows) | {
        "board": -rows["board"][:, CHESS.mirror],
        "turn": 1 - rows["turn"],
        "rights": rows["rights"][:, [2, 3, 0, 1]],
        "en_passant": np.where(rows["en_passant"] < 0, -1, rows["en_passant"] ^ 56),
    }


def marked(moves: Sequence[Sequence[str]]) -> NDArray[np.bool_]:
    """[B, M] from the moves' names."""
    found = np.zeros((len(moves), len(TABLE)), np.bool_)
    for row, names in enumerate(moves):
        found[row, [TABLE.number(name) for name in names]] = True
    return found


def legal_by_python_chess(boards: Sequence[chess.Board]) -> NDArray[np.bool_]:
    return marked([[move.uci() for move in board.legal_moves] for board in boards])


def pseudo_by_python_chess(boards: Sequence[chess.Board]) -> NDArray[np.bool_]:
    """But for castling, where python-chess looks at attacks; here it needs the right and a free way."""
    found = []
    for board in boards:
        names = [move.uci() for move in board.pseudo_legal_moves if not board.is_castling(move)]
        king = chess.E1 if board.turn else chess.E8
        for corner, side in ((king + 3, 2), (king - 4, -2)):
            free = not chess.between(king, corner) & board.occupied
            if free and board.clean_castling_rights() & chess.BB_SQUARES[corner]:
                names.append(chess.Move(king, king + side).uci())
        found.append(names)
    return marked(found)


def assert_equal(found: NDArray[np.bool_], wanted: NDArray[np.bool_], boards: Sequence[chess.Board]) -> None:
    for row in np.flatnonzero((found != wanted).any(axis=1)).tolist():
        more, less = found[row] & ~wanted[row], wanted[row] & ~found[row]
        names = [[TABLE.names[move] for move in np.flatnonzero(moves)] for moves in (more, less)]
        pytest.fail(f"{boards[row].fen()}: too many {names[0]}, missing {names[1]}")


def assert_as_python_chess(rows: Rows, boards: Sequence[chess.Board]) -> None:
    """Legal and pseudo-legal moves, those of the mirrored positions too."""
    legal, moves = CHESS.legal(rows), CHESS.pseudo_legal(rows)
    assert_equal(legal, legal_by_python_chess(boards), boards)
    assert_equal(moves, pseudo_by_python_chess(boards), boards)
    assert_equal(CHESS.legal(mirrored(rows))[:, TABLE.mirror], legal, boards)
    assert_equal(CHESS.pseudo_legal(mirrored(rows))[:, TABLE.mirror], moves, boards)
    assert not (legal & ~moves).any()


def positions_of(games: Sequence[Score]) -> tuple[Rows, list[chess.Board]]:
    """Every position of some games: the replayed rows, and the boards."""
    boards = []
    for game in games:
        board = chess.Board()
        for move in game.moves:
            boards.append(board.copy(stack=False))
            if not board.has_legal_en_passant():
                boards[-1].ep_square = None  # as in a row
            board.push_uci(TABLE.names[int(move)])
    moves = np.concatenate([np.asarray(game.moves, np.int16) for game in games])
    return replay(CHESS, moves, np.array([len(game.moves) for game in games])).state, boards


@pytest.mark.slow
def test_every_position_of_the_sample_games() -> None:
    rows, boards = positions_of(sample_games())
    assert len(boards) > 10_000
    assert_equal(CHESS.legal(rows), legal_by_python_chess(boards), boards)


@pytest.mark.slow
def test_moves_allowed_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zeroply.games.chess.legality.BLOCK", 1000)
    rows = rows_of([chess.Board(fen) for fen in FENS])
    legal = CHESS.legal(rows)
    position, move = np.divmod(np.arange(legal.size), len(TABLE))
    asked = {name: column[position] for name, column in rows.items()}
    np.testing.assert_array_equal(CHESS.allows(asked, move), legal.reshape(-1))


def test_pseudo_legal_moves_of_sample_games() -> None:
    assert_as_python_chess(*positions_of(sample_games()[:20]))


@pytest.mark.slow
def test_every_position_of_masters_games() -> None:
    games = [game for game in games_of(shared("twic-sample.pgn.xz"), 1100) if game.start is None][:1000]
    assert len(games) == 1000
    for first in range(0, 1000, 50):
        assert_as_python_chess(*positions_of(games[first : first + 50]))


@pytest.mark.parametrize("case", HARD, ids=BY_NAME)
def test_hard_positions(case: Hard) -> None:
    board = chess.Board(case.fen)
    rows = rows_of([board])
    names = {TABLE.names[move] for move in np.flatnonzero(CHESS.legal(rows)[0])}
    assert names >= set(case.legal.split())
    assert not names & set(case.illegal.split())
    assert_as_python_chess(rows, [board])


@pytest.mark.parametrize("rights", ["-", "K", "Q", "k", "q", "Kq", "Qk", "KQkq"])
@pytest.mark.parametrize("turn", ["w", "b"])
@pytest.mark.parametrize("piece", ["", "n", "q"])
def test_castling_with_each_right_and_a_piece_on_each_square(rights: str, turn: str, piece: str) -> None:
    boards = []
    for square in chess.SQUARES if piece else [None]:
        board = chess.Board(f"r3k2r/8/8/8/8/8/8/R3K2R {turn} {rights} - 0 1")
        if square is not None and board.piece_at(square) is None:
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
        boards.append(board)
    assert_as_python_chess(rows_of(boards), boards)


@st.composite
def crowded_boards(draw: st.DrawFn) -> chess.Board:
    """Kings and up to twenty other pieces, most of them queens, anywhere."""
    squares = draw(st.lists(st.sampled_from(chess.SQUARES), min_size=2, max_size=22, unique=True))
    board = chess.Board(None)
    board.turn = draw(st.booleans())
    for square, symbol in zip(squares, "Kk", strict=False):
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    for square in squares[2:]:
        inner = 0 < chess.square_rank(square) < 7
        symbol = draw(st.sampled_from("QqQqQqRrBbNn" + "PpPp" * inner))
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    assume(not board.was_into_check())
    return board


def played_on(board: chess.Board, picks: Sequence[int]) -> Iterator[chess.Board]:
    """The board, and those after random legal moves."""
    yield board.copy(stack=False)
    for pick in picks:
        moves = list(board.legal_moves)
        if not moves:
            return
        board.push(moves[pick % len(moves)])
        yield board.copy(stack=False)


@settings(deadline=None)  # the first call compiles
@given(
    crowded_boards() | st.sampled_from([chess.STARTING_FEN, *FENS]).map(chess.Board),
    st.lists(st.integers(0, 10**6), max_size=40),
)
def test_random_games_from_wild_positions(board: chess.Board, picks: list[int]) -> None:
    boards = list(played_on(board, picks))
    assert_as_python_chess(rows_of(boards), boards)


PERFT = {
    chess.STARTING_FEN: (20, 400, 8902),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (48, 2039, 97862),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2812, 43238),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9467),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1486, 62379),
}
"""Counts that the whole chess-programming world agrees on (chessprogramming.org, Perft Results)."""


@pytest.mark.parametrize(("fen", "counts"), PERFT.items())
def test_known_counts_of_lines_by_bulk_moves_alone(fen: str, counts: tuple[int, ...]) -> None:
    state = CHESS.start(fen).row(0)
    del state["past"]
    for count in counts:
        legal = CHESS.legal(state)
        assert legal.sum() == count
        game, move = legal.nonzero()
        steps = CHESS.steps({name: column[game] for name, column in state.items()})
        steps.step(move)
        state = steps.state


def as_tensors(rows: Rows) -> dict[str, torch.Tensor]:
    return {name: torch.as_tensor(column) for name, column in rows.items()}


def test_pseudo_legal_moves_of_numpy_and_torch_agree() -> None:
    rows = rows_of([board for fen in FENS for board in played_on(chess.Board(fen), range(10))])
    found = CHESS.pseudo_legal(as_tensors(rows))
    assert found.dtype == torch.bool
    np.testing.assert_array_equal(CHESS.pseudo_legal(rows), found.numpy())


@pytest.mark.slow  # torch's compiler
@pytest.mark.parametrize("known", [False, True], ids=["first call", "later call"])
def test_pseudo_legal_moves_compile_into_one_graph(known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pseudo, "_placed", {})
    rows = rows_of([chess.Board(fen) for fen in FENS])
    if known:
        CHESS.pseudo_legal(as_tensors(rows))
    compiled = torch.compile(CHESS.pseudo_legal, fullgraph=True, backend="aot_eager")
    for _ in range(2):
        np.testing.assert_array_equal(CHESS.pseudo_legal(rows), compiled(as_tensors(rows)).numpy())


def test_an_empty_batch_and_columns_in_any_layout() -> None:
    rows = rows_of([chess.Board(fen) for fen in FENS])
    assert CHESS.legal({name: column[:0] for name, column in rows.items()}).shape == (0, len(TABLE))
    every_other = {name: column[::2] for name, column in rows.items()}
    np.testing.assert_array_equal(CHESS.legal(every_other), CHESS.legal(rows)[::2])
    by_square = {name: np.asfortranarray(column) for name, column in rows.items()}
    np.testing.assert_array_equal(CHESS.legal(by_square), CHESS.legal(rows))


@pytest.mark.slow
def test_nothing_imports_numba_before_it_is_asked_for() -> None:
    assert "numba" not in modules_after("import zeroply.games.chess, zeroply.training.loop, zeroply.apps.uci")


def test_without_numba_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    for name in ("legality", "kernel"):
        monkeypatch.delitem(sys.modules, f"zeroply.games.chess.{name}", raising=False)
    with pytest.raises(MissingExtraError, match=r"'numba'.*pip install 'zeroply\[data\]'"):
        CHESS.legal(CHESS.start().row(0))
    assert CHESS.pseudo_legal(CHESS.start().row(0)).sum() == 20
