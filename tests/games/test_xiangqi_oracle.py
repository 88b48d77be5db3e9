"""Our rules against Fairy-Stockfish's on the games that people play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from tests.games import pyffish_oracle as oracle
from tests.games.xiangqi import XIANGQI, names, random_line
from tests.sources import shared
from zeroply.games import Position

POSITIONS = 3000


def some_positions() -> Iterator[Position]:
    """A quarter of the positions of every thirtieth game."""
    rng = random.Random(2086)  # noqa: S311
    for moves in islice(oracle.recorded_games(shared("xiangqi-games.pgn.xz"), 30 * POSITIONS), 0, None, 30):
        position: Position = XIANGQI.start()
        for name in moves:
            if rng.random() < 0.25:
                yield position
            position = position.play(XIANGQI.moves.number(name))


@pytest.mark.slow
def test_legal_moves_in_positions_of_real_games_are_those_of_fairy_stockfish() -> None:
    positions = list(islice(some_positions(), POSITIONS))
    assert len(positions) == POSITIONS
    for position in positions:
        fen = position.fen()
        assert names(position) == oracle.legal_names(fen), fen
        assert position.in_check() == oracle.in_check(fen), fen


@pytest.mark.slow
def test_legal_moves_in_random_games_are_those_of_fairy_stockfish() -> None:
    rng = random.Random(90)  # noqa: S311
    for _ in range(500):
        position = random_line([rng.randrange(10**6) for _ in range(rng.randrange(300))])
        assert names(position) == oracle.legal_names(position.fen()), position.fen()
        assert (position.reason() in ("checkmate", "stalemate, which loses")) == (not names(position))
