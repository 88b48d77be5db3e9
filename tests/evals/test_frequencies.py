"""Who only counts, against a count one by one, by other means."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest

from tests.sources import CHESS, SAMPLE
from zeroply.corpus.build import build
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.evals.frequencies import Frequencies
from zeroply.evals.measures import joined
from zeroply.evals.positions import Sample


def counted_one_by_one(corpus: Corpus) -> tuple[list[Counter[int]], dict[str, Counter[int]]]:
    """How often each move was made by each side, and in each position by its FEN without clocks."""
    sides, book = [Counter[int](), Counter[int]()], defaultdict[str, Counter[int]](Counter)
    for game in corpus.games_in(Split.train).tolist():
        position = CHESS.start()
        for move in corpus.moves[corpus.offsets[game] : corpus.offsets[game + 1]].tolist():
            sides[position.turn][move] += 1
            book[" ".join(position.fen().split()[:4])][move] += 1
            position = position.play(move)
    return sides, book


@pytest.mark.slow
def test_counts_agree_with_a_count_one_by_one(tmp_path: Path) -> None:
    build(tmp_path / "mostly-test", [SAMPLE], CHESS, shares={Split.test: 0.8})
    corpus = Corpus.open(tmp_path / "mostly-test")
    sample = Sample(corpus, Split.test, 400, 0)
    rows = joined(list(sample.batches(0)))
    move = rows["move"].astype(np.int64)
    counts = Frequencies.count(corpus, sample.batches(0), 0)
    (share, rank), (book_share, book_rank), known = counts.judge(rows, move)
    sides, book = counted_one_by_one(corpus)
    assert counts.counted == sum(sum(side.values()) for side in sides)
    assert 0.02 < known.mean() < 0.5
    size = len(CHESS.moves)
    for at, fen in enumerate(CHESS.fens(rows)):
        side = sides[int(rows["turn"][at])]
        shares = np.array([side[number] + 1 for number in range(size)]) / (sum(side.values()) + size)
        here = book[" ".join(fen.split()[:4])]
        by_book = np.array([here[number] for number in range(size)]) + shares
        played = move[at]
        assert known[at] == bool(here)
        assert np.exp(share[at]) == pytest.approx(shares[played])
        assert np.exp(book_share[at]) == pytest.approx(by_book[played] / by_book.sum())
        assert rank[at] == np.argsort(-shares, kind="stable").tolist().index(played)
        assert book_rank[at] == np.argsort(-by_book, kind="stable").tolist().index(played)
