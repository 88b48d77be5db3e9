"""Batches: each position once an epoch, and batch k known from the seed and k alone."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sources import CHESS, SAMPLE
from zeroply.corpus.build import build
from zeroply.corpus.sample import Batches, Part
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus

BATCH = 64


@pytest.fixture(scope="module")
def part(tmp_path_factory: pytest.TempPathFactory) -> Part:
    out = tmp_path_factory.mktemp("corpus") / "sample"
    build(out, [SAMPLE], CHESS)
    return Part(Corpus.open(out), Split.train, np.empty(0))


def batches(part: Part, seed: int = 1) -> Batches:
    return Batches(part, batch=BATCH, history=2, seed=seed, block=10 * BATCH)


def places(part: Part, source: Batches, ks: range) -> list[tuple[int, int]]:
    rows = [source[k] for k in ks]
    return [(int(g), int(p)) for row in rows for g, p in zip(row["game"], row["ply"], strict=True)]


def test_an_epoch_holds_every_position_once(part: Part) -> None:
    source = batches(part)
    seen = places(part, source, range(source.per_epoch))
    assert len(set(seen)) == len(seen) == source.per_epoch * BATCH > part.positions - BATCH


def test_batch_k_does_not_depend_on_what_was_read_before(part: Part) -> None:
    straight, sprung = batches(part), batches(part)
    wanted = straight.per_epoch + 3
    for k in range(wanted):
        straight[k]
    for name, column in straight[wanted].items():
        np.testing.assert_array_equal(column, sprung[wanted][name])


def test_seeds_and_epochs_shuffle_anew(part: Part) -> None:
    one, other = batches(part), batches(part, seed=2)
    first = places(part, one, range(1))
    assert first != places(part, other, range(1))
    assert first != places(part, one, range(one.per_epoch, one.per_epoch + 1))


def test_outcome_and_rating_are_the_movers(part: Part) -> None:
    rows = part.replay(np.arange(len(part.games))).take(np.arange(part.positions), 0)
    results, ratings = part.corpus.results[rows["game"]], part.corpus.ratings[rows["game"]]
    white = rows["turn"] == 0
    known = results != 3
    np.testing.assert_array_equal(rows["outcome"][white & known], 2 - results[white & known])
    np.testing.assert_array_equal(rows["outcome"][~white & known], results[~white & known])
    np.testing.assert_array_equal(rows["rating"], np.where(white, ratings[:, 0], ratings[:, 1]))
