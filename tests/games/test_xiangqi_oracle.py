"""Our rules against Fairy-Stockfish's on the games that people play."""

from __future__ import annotations

import lzma
import random
import re
from collections.abc import Iterator
from itertools import islice

import pyffish
import pytest

from tests.games.xiangqi import XIANGQI, names, oracle_names, random_line
from tests.sources import shared
from zeroply.games import Position
from zeroply.games.xiangqi.notation import from_iccs

POSITIONS = 3000


def real_games() -> Iterator[list[str]]:
    """The moves of each game of the collection."""
    with lzma.open(shared("xiangqi-games.pgn.xz"), "rt", encoding="utf-8") as file:
        moves: list[str] = []
        for line in file:
            if line.startswith("[") and moves:
                yield moves
                moves = []
            moves += [from_iccs(text) for text in re.findall(r"[A-I]\d-[A-I]\d", line) if line[0] != "["]


def some_positions() -> Iterator[Position]:
    """A quarter of the positions of every thirtieth game."""
    rng = random.Random(2086)  # noqa: S311
    for moves in islice(real_games(), 0, None, 30):
        position: Position = XIANGQI.start()
        for name in moves:
            if rng.random() < 0.25:
                yield position
            position = position.play(XIANGQI.moves.number(name))


@pytest.mark.slow
def test_legal_moves_in_positions_of_real_games_are_those_of_fairy_stockfish() -> None:
    for position in islice(some_positions(), POSITIONS):
        fen = position.fen()
        assert names(position) == oracle_names(fen), fen
        assert position.in_check() == pyffish.gives_check("xiangqi", fen, []), fen


@pytest.mark.slow
def test_legal_moves_in_random_games_are_those_of_fairy_stockfish() -> None:
    rng = random.Random(90)  # noqa: S311
    for _ in range(500):
        position = random_line([rng.randrange(10**6) for _ in range(rng.randrange(300))])
        assert names(position) == oracle_names(position.fen()), position.fen()
        mated = not pyffish.legal_moves("xiangqi", position.fen(), [])
        assert mated == (position.reason() in ("checkmate", "stalemate, which loses"))
