"""What tests of labelling share: an engine that tells without looking, positions to ask it about."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from tests.sources import CHESS
from zeroply.corpus.replay import replay_games
from zeroply.corpus.store import Corpus
from zeroply.games import Game
from zeroply.players.labelling.asked import Asked
from zeroply.players.labelling.places import Rule

ENGINE = Path(__file__).parent.parent / "telling_engine.py"
EVERYTHING = Rule(split=None)


def teller(*arguments: str) -> str:
    return " ".join(f"'{word}'" for word in (sys.executable, str(ENGINE), *arguments))


def asked(*arguments: str, game: Game = CHESS, multipv: int = 3, patience: float = 20.0) -> Asked:
    return Asked(engine=teller(*arguments), game=game.name, nodes=10, multipv=multipv, patience=patience)


def fens_of(game: Game, count: int) -> list[str]:
    """Positions with either side to move."""
    random, found, position = np.random.default_rng(5), list[str](), game.start()
    while len(found) < count:
        found.append(position.fen())
        position = position.play(int(random.choice(position.legal())))
        if position.result() is not None:
            position = game.start()
    return list(dict.fromkeys(found))


def positions_of(corpus: Corpus) -> list[str]:
    """Those that are judged: the last of each game."""
    state = replay_games(corpus, np.arange(len(corpus)), np.empty(0)).state
    last = corpus.offsets[1:] - 1
    return corpus.game.fens({name: state[name][last] for name in corpus.game.columns})
