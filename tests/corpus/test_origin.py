"""What corpora and runs remember of the games behind them."""

from __future__ import annotations

from typing import Any

import pytest

from zeroply.corpus.origin import held_back, origin, origin_of_chosen
from zeroply.corpus.score import Split

FILE, TABLE = [{"name": "games.pgn", "sha256": "f"}], [{"name": "labels.csv", "sha256": "t"}]
GAMES: dict[str, Any] = {"sources": FILE, "shares": {"validation": 0.1, "test": 0.2}, "games": 7}


def labels(split: Split | None, of: dict[str, Any] = GAMES) -> dict[str, Any]:
    made = {"by": "an engine", "of": origin_of_chosen(of, split)}
    return {"sources": TABLE, "shares": {"validation": 0.5, "test": 0.0}, "games": 9, "made": made}


def test_a_run_remembers_files_and_shares_and_nothing_of_the_machine() -> None:
    assert origin(GAMES) == {"sources": FILE, "shares": {"validation": 0.1, "test": 0.2}}
    assert origin(labels(Split.train)) == {
        "sources": TABLE,
        "shares": {"validation": 0.5, "test": 0.0},
        "of": origin(GAMES),
    }


@pytest.mark.parametrize(
    ("corpus", "shares"),
    [
        (GAMES, [0.3]),
        (labels(Split.train), [0.3]),
        (labels(Split.test), [0]),
        (labels(None), [0]),
        (labels(Split.train, of=labels(Split.train)), [0.3]),
        (labels(Split.train, of=labels(Split.validation)), [0]),
    ],
)
def test_labels_hold_back_what_the_games_did_of_which_they_are(
    corpus: dict[str, Any], shares: list[float]
) -> None:
    training = {"corpora": [origin(corpus)]}
    assert list(held_back(training, FILE)) == pytest.approx(shares)
    assert list(held_back({"corpora": [], "before": training}, FILE)) == pytest.approx(shares)
    assert list(held_back(training, [{"name": "other.pgn", "sha256": "o"}])) == []
