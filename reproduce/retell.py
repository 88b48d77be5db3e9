"""`python -m reproduce.retell CORPUS OUT anybody|engines`: a copy of a corpus, its moves told as others'.

A net that is told who plays learns of each what is shown of him. What all should know, such as what a queen
is worth, is told as the moves of anybody: people of 2300 and more, engines with a rating and without. What
the net is to play itself, as Stockfish's answers in its own games, is told as moves of engines without a
rating, as which it plays best (in chess: a xiangqi net, which sees no games of engines, is asked for
labels). Evaluations are left out: a quick look's would be taken for those of long searches.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroply.arguments import Parser
from zeroply.artefacts import new_folder, write_json
from zeroply.corpus.score import Kind
from zeroply.corpus.store import Corpus
from zeroply.errors import ZeroplyError
from zeroply.exits import exit_codes

PEOPLE, RATED = 0.4, 0.21
"""Shares of anybody's games; the others are those of engines without a rating."""
SEED = 3

Told = tuple[NDArray[np.uint8], NDArray[np.uint16]]
"""The arrays `kinds` and `ratings`."""


def engines(games: int) -> Told:
    return np.full(games, Kind.engine, np.uint8), np.zeros((games, 2), np.uint16)


def anybody(games: int) -> Told:
    (kinds, ratings), chance = engines(games), np.random.default_rng(SEED)
    lot = chance.random(games)
    people, rated = lot < PEOPLE, (lot >= PEOPLE) & (lot < PEOPLE + RATED)
    kinds[people] = Kind.human
    ratings[people] = chance.integers(2300, 2850, (int(people.sum()), 2))
    ratings[rated] = chance.integers(3000, 3700, (int(rated.sum()), 2))
    return kinds, ratings


WHO: dict[str, Callable[[int], Told]] = {"anybody": anybody, "engines": engines}


def retell(corpus: Corpus, out: Path, who: str) -> None:
    if out.exists():
        raise ZeroplyError(f"{out} exists. Choose another folder or remove it first")
    kinds, ratings = WHO[who](len(corpus))
    with new_folder(out) as folder:
        shutil.copytree(corpus.path, folder, dirs_exist_ok=True)
        np.save(folder / "kinds.npy", kinds)
        np.save(folder / "ratings.npy", ratings)
        (folder / "evaluations.npy").unlink(missing_ok=True)
        write_json(folder / "manifest.json", {**corpus.manifest, "evaluations": 0, "told": who})


def main() -> None:
    parser = Parser("python -m reproduce.retell")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("who", choices=WHO)
    given = parser.parse_args()
    retell(Corpus.open(given.corpus), given.out, given.who)


if __name__ == "__main__":
    with exit_codes(when_stopped="nothing was written"):
        main()
