"""Positions in which somebody is well ahead."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from reproduce.won import LEAST, MOST, OF_A_GAME, main, won
from zeroply.corpus.replay import replay_games
from zeroply.corpus.store import Corpus
from zeroply.errors import ZeroplyError


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


def test_of_games_that_nobody_judged_there_are_none(
    people: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["won", str(tmp_path / "won.fen"), str(people.path)])
    with pytest.raises(ZeroplyError, match=f"nobody is well ahead in {people.path}"):
        main()
    assert not list(tmp_path.iterdir())
