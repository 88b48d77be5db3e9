"""`python -m reproduce.odds CORPUS OUT [COUNT]`: positions of a corpus, one side a piece or two short.

Strong players hardly ever play on without a queen, so a net that learns from their games alone does not know
what one is worth. OUT has a FEN a line, of the train part, up to ply 80; engines play or judge them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroply.arguments import Parser, some
from zeroply.artefacts import new_file
from zeroply.corpus.replay import replay_games
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.errors import ZeroplyError
from zeroply.exits import exit_codes
from zeroply.games import Game, Rows

LATEST = 80
"""Plies. What is further on decides itself without odds."""
MOST_MISSING = 2
"""Pieces that one side lacks."""
GAMES_AT_ONCE = 512
SEED = 5


def odds(corpus: Corpus, count: int) -> list[str]:
    """Different FENs, in random order."""
    chance, found = np.random.default_rng(SEED), dict[str, None]()
    games = chance.permutation(corpus.games_in(Split.train))
    for first in range(0, len(games), GAMES_AT_ONCE):
        replayed = replay_games(corpus, np.sort(games[first : first + GAMES_AT_ONCE]), np.empty(0))
        early = np.flatnonzero(replayed.state["ply"] <= LATEST)
        chosen = chance.choice(early, min(len(early), 2 * GAMES_AT_ONCE), replace=False)
        rows = {name: replayed.state[name][chosen] for name in corpus.game.columns}
        found.update(dict.fromkeys(_sound(corpus.game, _with_odds(corpus.game, rows, chance))))
        if len(found) >= count:
            break
    return list(found)[:count]


def _with_odds(game: Game, rows: Rows, chance: np.random.Generator) -> list[str]:
    """FENs of positions after one side has lost one or two of its pieces that are no pawns and no kings."""
    board = rows["board"].copy()
    every = np.arange(len(board))
    side = chance.choice([1, -1], len(board))
    missing = chance.integers(1, MOST_MISSING + 1, len(board))
    for turn in range(MOST_MISSING):
        own = _pieces(game, board * side[:, None]) & (turn < missing)[:, None]
        square = (own * chance.random(board.shape)).argmax(axis=1)
        board[every, square] = np.where(own.any(axis=1), 0, board[every, square])
    lacks = (board != rows["board"]).any(axis=1)  # but for a side that had none
    return game.fens({name: column[lacks] for name, column in {**rows, "board": board}.items()})


def _pieces(game: Game, board: NDArray[np.int8]) -> NDArray[np.bool_]:
    """[B, S] where a side, its codes positive, has pieces: the first kind is the pawn, the last the king."""
    return (board > 1) & (board < game.kinds)


def _sound(game: Game, fens: list[str]) -> list[str]:
    """Those that are positions and go on, as the game reads them: nobody castles with a rook that is gone."""
    columns, _ = game.examined(fens)
    going_on = game.legal(columns).any(axis=1)
    return game.fens({name: column[going_on] for name, column in columns.items()})


def main() -> None:
    parser = Parser("python -m reproduce.odds")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("count", type=some, nargs="?", default=50_000)
    given = parser.parse_args()
    fens = odds(Corpus.open(given.corpus), given.count)
    if not fens:
        raise ZeroplyError(f"no position of {given.corpus} has pieces to spare. Give a corpus of whole games")
    with new_file(given.out) as place:
        place.write_text("".join(f"{fen}\n" for fen in fens), encoding="utf-8")
    print(f"{given.out}: {len(fens):,} positions")


if __name__ == "__main__":
    with exit_codes(when_stopped="nothing was written"):
        main()
