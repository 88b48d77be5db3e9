"""Xiangqi's legal and pseudo-legal moves of whole batches, against pyffish and brute force."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.games import pyffish_oracle as oracle
from tests.games.hard_positions import Hard
from tests.games.hard_xiangqi import BY_NAME, HARD
from tests.sources import shared
from tests.test_layout import modules_after
from zeroply.errors import MissingExtraError
from zeroply.games import Rows
from zeroply.games.xiangqi import XIANGQI, pseudo

TABLE = XIANGQI.moves
assert TABLE.flip is not None


def turned(fen: str) -> str:
    """The same position with the sides changed."""
    placement, turn, *rest = fen.split()
    return " ".join(["/".join(placement.swapcase().split("/")[::-1]), "wb"[turn == "w"], *rest])


FENS = [case.fen for case in HARD] + [turned(case.fen) for case in HARD]


def assert_equal(found: NDArray[np.bool_], wanted: NDArray[np.bool_], fens: Sequence[str]) -> None:
    for row in np.flatnonzero((found != wanted).any(axis=1)).tolist():
        more, less = found[row] & ~wanted[row], wanted[row] & ~found[row]
        names = [[TABLE.names[move] for move in np.flatnonzero(moves)] for moves in (more, less)]
        pytest.fail(f"{fens[row]}: too many {names[0]}, missing {names[1]}")


def assert_allowed_one_by_one(rows: Rows, legal: NDArray[np.bool_]) -> None:
    """Every move of every position asked for alone, some twenty positions at a time."""
    for at in range(0, len(legal), 20):
        some = legal[at : at + 20]
        position, move = np.divmod(np.arange(some.size), len(TABLE))
        asked = {name: column[at + position] for name, column in rows.items()}
        np.testing.assert_array_equal(XIANGQI.allows(asked, move), some.reshape(-1))


def assert_as_pyffish(fens: Sequence[str]) -> None:
    wanted = np.zeros((len(fens), len(TABLE)), np.bool_)
    for row, fen in enumerate(fens):
        wanted[row, [TABLE.number(name) for name in oracle.legal_names(fen)]] = True
    rows = oracle.rows_of(fens)
    legal = XIANGQI.legal(rows)
    assert_equal(legal, wanted, fens)
    assert_allowed_one_by_one(rows, legal)
    assert not (legal & ~XIANGQI.pseudo_legal(rows)).any()


@pytest.mark.parametrize("case", HARD, ids=BY_NAME)
def test_hard_positions(case: Hard) -> None:
    names = {TABLE.names[move] for move in np.flatnonzero(XIANGQI.legal(oracle.row_of(case.fen))[0])}
    assert names >= set(case.legal.split())
    assert not names & set(case.illegal.split())
    assert_as_pyffish([case.fen, turned(case.fen)])


@pytest.mark.slow
def test_random_games() -> None:
    assert_as_pyffish([fen for line in oracle.random_lines() for fen in line.fens])


@pytest.mark.slow
def test_positions_of_recorded_games() -> None:
    games = oracle.recorded_games(shared("xiangqi-games.pgn.xz"), 400)
    fens = [oracle.after(oracle.START, game[:ply]) for game in games for ply in range(0, len(game), 10)]
    assert len(fens) > 3000
    assert_as_pyffish(fens)


PALACE = [9 * rank + file for rank in range(3) for file in (3, 4, 5)]
HOMES = {"A": [3, 5, 13, 21, 23], "B": [2, 6, 18, 22, 26, 38, 42], "P": list(range(27, 90))}
"""Where Red's advisors, elephants and soldiers can stand; Black's as he sees it."""


@st.composite
def crowded_boards(draw: st.DrawFn) -> str:
    """Generals in their palaces and up to twenty other pieces anywhere they can be; Red to move or Black."""
    squares = {draw(st.sampled_from(PALACE)): "K", 89 - draw(st.sampled_from(PALACE)): "k"}
    for letter in draw(st.lists(st.sampled_from("RrCcNnRrCcNnPpAaBb"), max_size=20)):
        square = draw(st.sampled_from(HOMES.get(letter.upper(), range(90))))
        squares.setdefault(square if letter.isupper() else 89 - square, letter)
    ranks = ["".join(squares.get(9 * rank + file, "1") for file in range(9)) for rank in range(9, -1, -1)]
    placement = re.sub("1+", lambda empty: str(len(empty[0])), "/".join(ranks))
    return f"{placement} {draw(st.sampled_from('wb'))} - - 0 1"


def facing(fen: str) -> bool:
    """Whether only empty squares part the generals."""
    board = oracle.row_of(fen)["board"][0].reshape(10, 9)
    (first, file), (last, other) = np.argwhere(abs(board) == 7)
    return bool(file == other and not board[first + 1 : last, file].any())


@settings(deadline=None)  # the first call compiles
@given(crowded_boards())
def test_crowded_boards(fen: str) -> None:
    placement, turn, *_ = fen.split()
    assume(not facing(fen))
    assume(not oracle.in_check(f"{placement} {'b' if turn == 'w' else 'w'} - - 0 1"))
    assert_as_pyffish([fen])


def fits(board: NDArray[np.int8], side: int, move: int) -> bool:
    """One move by the letter of the rules, in Red's eyes: squares as (rank, file), own pieces positive."""
    (rank, file), (to_rank, to_file) = (divmod(int(at[move]), 9) for at in (TABLE.start, TABLE.end))
    seen = board.reshape(10, 9)
    if side:
        seen, rank, to_rank = -seen[::-1], 9 - rank, 9 - to_rank
    piece, target, up, right = seen[rank, file], seen[to_rank, to_file], to_rank - rank, to_file - file
    far, near = max(abs(up), abs(right)), min(abs(up), abs(right))
    if piece <= 0 or target > 0:
        return False
    between = [seen[rank + step * up // far, file + step * right // far] for step in range(1, far)]
    pieces = np.count_nonzero(between)
    palace = to_rank <= 2 and 3 <= to_file <= 5
    match "?PABNCRK"[piece]:
        case "P":
            return far == 1 and near == 0 and (up == 1 or (up == 0 and rank >= 5))
        case "A":
            return far == near == 1 and palace
        case "B":
            return far == near == 2 and to_rank <= 4 and not pieces
        case "N":
            leg = seen[rank + up // 2, file] if abs(up) == 2 else seen[rank, file + right // 2]
            return (far, near) == (2, 1) and not leg
        case "C":
            return near == 0 and pieces == (target < 0)
        case "R":
            return near == 0 and not pieces
        case _:
            return far == 1 and near == 0 and palace


@settings(deadline=None, max_examples=30)
@given(crowded_boards())
def test_pseudo_legal_moves_are_those_that_fit_the_rules(fen: str) -> None:
    rows = oracle.row_of(fen)
    board, side = rows["board"][0], int(rows["turn"][0])
    wanted = np.array([[fits(board, side, move) for move in range(len(TABLE))]])
    assert_equal(XIANGQI.pseudo_legal(rows), wanted, [fen])


@settings(deadline=None)
@given(st.lists(crowded_boards() | st.sampled_from(FENS), min_size=1, max_size=8))
def test_both_sides_and_both_wings_have_the_same_moves(fens: list[str]) -> None:
    rows = oracle.rows_of(fens)
    mirrored = rows | {"board": -rows["board"][:, XIANGQI.mirror], "turn": 1 - rows["turn"]}
    flipped = rows | {"board": rows["board"][:, XIANGQI.flip]}
    for moves_of in (XIANGQI.legal, XIANGQI.pseudo_legal):
        moves = moves_of(rows)
        assert_equal(moves_of(mirrored)[:, TABLE.mirror], moves, fens)
        assert_equal(moves_of(flipped)[:, TABLE.flip], moves, fens)


def as_tensors(rows: Rows) -> dict[str, torch.Tensor]:
    return {name: torch.as_tensor(column) for name, column in rows.items()}


def test_pseudo_legal_moves_of_numpy_and_torch_agree() -> None:
    rows = oracle.rows_of(FENS + oracle.random_lines()[0].fens)
    found = XIANGQI.pseudo_legal(as_tensors(rows))
    assert found.dtype == torch.bool
    np.testing.assert_array_equal(XIANGQI.pseudo_legal(rows), found.numpy())


@pytest.mark.slow  # torch's compiler
@pytest.mark.parametrize("known", [False, True], ids=["first call", "later call"])
def test_pseudo_legal_moves_compile_into_one_graph(known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pseudo, "_placed", {})
    rows = oracle.rows_of(FENS)
    if known:
        XIANGQI.pseudo_legal(as_tensors(rows))
    compiled = torch.compile(XIANGQI.pseudo_legal, fullgraph=True, backend="aot_eager")
    for _ in range(2):
        np.testing.assert_array_equal(XIANGQI.pseudo_legal(rows), compiled(as_tensors(rows)).numpy())


def test_an_empty_batch_and_columns_in_any_layout() -> None:
    rows = oracle.rows_of(FENS)
    assert XIANGQI.legal({name: column[:0] for name, column in rows.items()}).shape == (0, len(TABLE))
    every_other = {name: column[::2] for name, column in rows.items()}
    np.testing.assert_array_equal(XIANGQI.legal(every_other), XIANGQI.legal(rows)[::2])
    by_square = {name: np.asfortranarray(column) for name, column in rows.items()}
    np.testing.assert_array_equal(XIANGQI.legal(by_square), XIANGQI.legal(rows))


@pytest.mark.slow
def test_nothing_imports_numba_before_it_is_asked_for() -> None:
    assert "numba" not in modules_after("import zeroply.games.xiangqi.position, zeroply.games.xiangqi.pseudo")


def test_without_numba_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    for name in ("legality", "kernel"):
        monkeypatch.delitem(sys.modules, f"zeroply.games.xiangqi.{name}", raising=False)
    with pytest.raises(MissingExtraError, match=r"'numba'.*pip install 'zeroply\[data\]'"):
        XIANGQI.legal(oracle.row_of(oracle.START))
    assert XIANGQI.pseudo_legal(oracle.row_of(oracle.START)).sum() == 44
