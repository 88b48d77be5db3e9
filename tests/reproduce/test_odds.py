"""Positions in which one side lacks a piece."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import chess
import numpy as np
import pytest

from reproduce.odds import LATEST, MOST_MISSING, main, odds
from zeroply.corpus.replay import replay_games
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.errors import ZeroplyError


def armies(corpus: Corpus, fen: str) -> tuple[Counter[int], Counter[int]]:
    """How many pieces of which kind each side has."""
    board = corpus.game.rows([fen])["board"][0]
    return Counter(board[board > 0].tolist()), Counter((-board[board < 0]).tolist())


def test_one_side_lacks_a_piece_or_two_that_are_no_pawns_and_no_kings(people: Corpus) -> None:
    train = replay_games(people, people.games_in(Split.train), np.empty(0)).state
    found = odds(people, 60)
    assert len(set(found)) == 60
    pawn, king = 1, people.game.kinds
    missing = Counter[int]()
    for fen in found:
        row = people.game.rows([fen])
        assert row["ply"][0] <= LATEST
        board = row["board"][0]
        # The very position of the train part from which the pieces were taken.
        differing = (train["board"] != board).sum(axis=1)
        whole = int(np.argmin(np.where(train["turn"] == row["turn"][0], differing, 99)))
        taken = train["board"][whole][train["board"][whole] != board]
        assert 1 <= len(taken) <= MOST_MISSING
        assert len({int(code > 0) for code in taken}) == 1, "one side alone lacks something"
        assert not set(np.abs(taken).tolist()) & {pawn, king}
        missing[int(np.sign(taken[0])) * len(taken)] += 1
    assert len(missing) == 2 * MOST_MISSING, "either side lacks one piece or two"


def test_they_can_be_played(people: Corpus) -> None:
    """By any engine: nobody has the right to castle with a rook that is gone."""
    for fen in odds(people, 200):
        position = people.game.start(fen)
        assert position.fen() == fen
        assert position.result() is None
        assert len(position.legal())
        assert people.game.name != "chess" or chess.Board(fen).is_valid()


def test_without_positions_nothing_is_written(
    people: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Corpus, "games_in", lambda *_: np.empty(0, np.int64))
    monkeypatch.setattr(sys, "argv", ["odds", str(people.path), str(tmp_path / "odds.fen")])
    with pytest.raises(ZeroplyError, match=f"no position of {people.path} has pieces to spare"):
        main()
    assert not list(tmp_path.iterdir())


def test_the_same_ones_come_again(people: Corpus) -> None:
    assert odds(people, 30) == odds(people, 30)
