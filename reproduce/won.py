"""`python -m reproduce.won OUT CORPUS...`: positions in which one side is well ahead, as the mover thought.

Engines' games end there by resigning, so that a net never sees how they are brought home.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from zeroply.artefacts import new_file
from zeroply.corpus.replay import replay_games
from zeroply.corpus.score import NO_EVALUATION
from zeroply.corpus.store import Corpus

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


def main(out: Path, folders: list[Path]) -> None:
    chance = np.random.default_rng(SEED)
    corpora = [corpus for folder in folders if (corpus := Corpus.open(folder)).has_evaluations]
    fens = list(dict.fromkeys(fen for corpus in corpora for fen in won(corpus, chance)))
    chance.shuffle(fens)
    with new_file(out) as place:
        place.write_text("".join(f"{fen}\n" for fen in fens), encoding="utf-8")
    print(f"{out}: {len(fens):,} positions")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(folder) for folder in sys.argv[2:]])
