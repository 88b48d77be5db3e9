"""Labels of the position after a move, against positions that played it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sources import CHESS, XIANGQI, sample_games
from zeroply.corpus.sample.following import following
from zeroply.games import Game, Position, Rows, stack
from zeroply.games.base import Array

EDGES = {
    "castling, both ways": ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1 e8c8"),
    "a rook takes a rook": ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", "a1a8"),
    "a king and a rook move": ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", "h1h7 e8d8 e1f1"),
    "a promotion takes a rook": ("r3k2r/1P6/8/8/8/8/8/4K3 w kq - 0 1", "b7a8n e8g8"),
    "promotions": ("8/P6k/8/8/8/8/p6K/8 w - - 5 1", "a7a8q a2a1r"),
    "a double step that can be taken": ("4k3/8/8/8/3p4/8/2P1P3/4K3 w - - 0 1", "c2c4 d4c3 e2e4"),
    "a double step that a pin protects": ("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e2e4"),
    "one by Black": ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 7 30", "d7d5 e5d6"),
    "mate": ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8"),
}


def played(game: Game, start: str | None, moves: list[int]) -> tuple[dict[str, Array], Rows]:
    """The positions before the moves of a game, with these, and the positions after them."""
    positions: list[Position] = [game.start(start)]
    for move in moves:
        positions.append(positions[-1].play(move))
    rows = [position.row(2) for position in positions]
    return {**stack(rows[:-1]), "move": np.array(moves, np.int16)}, stack(rows[1:])


def assert_follows(game: Game, before: dict[str, Any], after: Rows) -> None:
    names = [f"next_{name}" for name in game.columns if name != "repeats"]
    as_torch = {name: torch.as_tensor(column.copy()) for name, column in before.items()}
    for rows in (before, as_torch):
        kept = {name: np.asarray(column).copy() for name, column in rows.items()}
        found = following(rows, game, {*names, "move", "outcome"})
        assert found.keys() == {*rows, *names}
        for name in names:
            np.testing.assert_array_equal(np.asarray(found[name]), after[name.removeprefix("next_")], name)
            assert type(found[name]) is type(rows["board"])
        for name, column in kept.items():
            np.testing.assert_array_equal(np.asarray(rows[name]), column, f"{name} was changed")


@pytest.mark.parametrize("edge", EDGES)
def test_rights_and_en_passant_at_the_edges(edge: str) -> None:
    start, moves = EDGES[edge]
    assert_follows(CHESS, *played(CHESS, start, [CHESS.moves.number(name) for name in moves.split()]))


def test_what_follows_in_real_games_is_their_next_row() -> None:
    rows = [played(CHESS, game.start, [int(move) for move in game.moves]) for game in sample_games()[:15]]
    before, after = (stack(part) for part in zip(*rows, strict=True))
    assert (after["en_passant"] >= 0).any()
    assert len(np.unique(after["rights"], axis=0)) > 4
    assert_follows(CHESS, before, after)


@settings(max_examples=10)
@given(st.sampled_from([CHESS, XIANGQI]), st.lists(st.integers(0, 10**6), min_size=1, max_size=40))
def test_what_follows_in_random_games(game: Game, picks: list[int]) -> None:
    position: Position = game.start()
    for pick in picks:
        legal = position.legal()
        if not len(legal):
            break
        position = position.play(int(legal[pick % len(legal)]))
    assert_follows(game, *played(game, *position.record()))


def test_rows_stay_as_they_are_where_nobody_asks() -> None:
    before, _ = played(CHESS, None, [CHESS.moves.number("e2e4")])
    assert following(before, CHESS, {"move", "outcome"}) is before
