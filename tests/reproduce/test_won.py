"""Positions in which somebody is well ahead."""

from __future__ import annotations

from collections import Counter

import numpy as np

from reproduce.won import LEAST, MOST, OF_A_GAME, won
from zeroply.corpus.replay import replay_games
from zeroply.corpus.store import Corpus


def test_positions_are_well_ahead_and_a_few_of_each_game(engines: Corpus) -> None:
    found = won(engines, np.random.default_rng(0))
    fens = engines.game.fens(replay_games(engines, np.arange(len(engines)), np.empty(0)).state)
    of_game = np.repeat(np.arange(len(engines)), np.diff(engines.offsets))
    places = {fen: at for at, fen in enumerate(fens)}
    values = [abs(int(engines.evaluations[places[fen]])) for fen in found]
    assert len(found) > len(engines) / 2
    assert min(values) >= LEAST
    assert max(values) <= MOST
    counts = Counter(int(of_game[places[fen]]) for fen in found)
    assert max(counts.values()) == OF_A_GAME
