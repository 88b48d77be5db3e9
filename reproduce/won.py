"""`python -m reproduce.won OUT CORPUS...`: positions in which one side is well ahead, as the mover thought.

Engines' games end there by resigning, so that a net never sees how they are brought home.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from zeroply.arguments import Parser
from zeroply.artefacts import new_file
from zeroply.corpus.replay import replay_games
from zeroply.corpus.score import NO_EVALUATION
from zeroply.corpus.store import Corpus
from zeroply.errors import ZeroplyError
from zeroply.exits import exit_codes

LEAST, MOST = 300, 1500
"""Centipawns."""
OF_A_GAME = 2
SEED = 7


def won(corpus: Corpus, chance: np.random.Generator) -> list[str]:
    """FENs, up to `OF_A_GAME` of each game."""
    value = np.asarray(corpus.evaluations).astype(np.int32)
    ahead = (value != NO_EVALUATION) & (np.abs(value) >= LEAST) & (np.abs(value) <= MOST)
    places = chance.permutation(np.flatnonzero(ahead))
    games = np.searchsorted(corpus.offsets, places, side="right") - 1
    order = np.argsort(games, kind="stable")
    turn = np.arange(len(order)) - np.searchsorted(
        games[order], games[order]
    )  # how many of its game are before it
    chosen = np.sort(places[order[turn < OF_A_GAME]])
    replayed = replay_games(corpus, np.arange(len(corpus)), np.empty(0))
    return corpus.game.fens({name: replayed.state[name][chosen] for name in corpus.game.columns})


def main() -> None:
    parser = Parser("python -m reproduce.won")
    parser.add_argument("out", type=Path)
    parser.add_argument("corpora", type=Path, nargs="+")
    given = parser.parse_args()
    chance = np.random.default_rng(SEED)
    corpora = [corpus for folder in given.corpora if (corpus := Corpus.open(folder)).has_evaluations]
    fens = list(dict.fromkeys(fen for corpus in corpora for fen in won(corpus, chance)))
    if not fens:
        named = ", ".join(map(str, given.corpora))
        raise ZeroplyError(f"nobody is well ahead in {named}. Give corpora of games with evaluations")
    chance.shuffle(fens)
    with new_file(given.out) as place:
        place.write_text("".join(f"{fen}\n" for fen in fens), encoding="utf-8")
    print(f"{given.out}: {len(fens):,} positions")


if __name__ == "__main__":
    with exit_codes(when_stopped="nothing was written"):
        main()
