"""Start positions of a match: chosen from a file, or made by a few random moves."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from zeroply.corpus.readers.files import open_text
from zeroply.errors import PositionError, ReadError
from zeroply.games import Game
from zeroply.games.notation import fen_of

RANDOM_PLIES = 6
TAG = re.compile(r'\[\w+ "')
"""How a line of a PGN's head begins; no position does."""


def read_openings(path: Path, game: Game, count: int, seed: int = 0) -> list[str]:
    """Up to `count` FENs of an EPD or FEN file (.xz, .gz and .bz2 too), in an order drawn by `seed`."""
    with open_text(path) as file:
        lines = [(number, line.split()) for number, line in enumerate(file, 1)]
    lines = [(number, words) for number, words in lines if words and not words[0].startswith("#")]
    if not lines:
        raise ReadError(f"{path} holds no positions. Give an EPD or FEN file, one position a line")
    if any(TAG.match(" ".join(words)) for _, words in lines):
        raise ReadError(
            f"{path} is a PGN of games, and openings are positions: give an EPD or FEN file, one position a "
            "line, or leave it out for random first moves"
        )
    order = np.random.default_rng(seed).permutation(len(lines))[:count]
    openings = []
    for number, words in (lines[index] for index in order):
        fen = fen_of(words)
        try:
            over = game.start(fen).reason()
        except PositionError as error:
            raise ReadError(f"{path}, line {number}: {error}") from None
        if over is not None:
            raise ReadError(f"{path}, line {number}: the game is over in '{fen}': {over}")
        openings.append(fen)
    return openings


def random_openings(game: Game, count: int, seed: int = 0) -> list[str]:
    """`count` different positions after a few random legal moves, none of them over."""
    random = np.random.default_rng(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        found[random_opening(game, random)] = None
    return list(found)


def random_opening(
    game: Game, random: np.random.Generator, start: str | None = None, plies: int = RANDOM_PLIES
) -> str:
    """A position after so many random legal moves from `start` that is not over."""
    while True:
        position = game.start(start)
        for _ in range(plies):
            if position.result() is None:
                position = position.play(int(random.choice(position.legal())))
        if position.result() is None:
            return position.fen()
