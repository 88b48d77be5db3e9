"""Questions in SQL over tags and derived columns; the database sees nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources import CHESS, SAMPLE
from zeroply.corpus.build import build
from zeroply.corpus.show import describe, find_game
from zeroply.corpus.sql import corpus_table, query
from zeroply.corpus.store import Corpus
from zeroply.errors import ZeroplyError

PGN = """[White "A"]
[WhiteElo "2100"]
[BlackElo "1950"]
[TimeControl "600+5"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[White "B"]
[TimeControl "-"]
[Result "*"]

1. e4 *
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    (tmp_path / "games.pgn").write_text(PGN)
    build(tmp_path / "corpus", [tmp_path / "games.pgn"], CHESS)
    return Corpus.open(tmp_path / "corpus")


def ask(corpus: Corpus, text: str) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = query(corpus_table(corpus), text, "the question").to_pylist()
    return rows


def test_derived_columns(corpus: Corpus) -> None:
    columns = "White, average_elo, base_seconds, increment, plies, result, kind"
    assert ask(corpus, "SELECT " + columns + " FROM games ORDER BY game") == [  # noqa: S608 (a test)
        {
            "White": "A",
            "average_elo": 2025.0,
            "base_seconds": 600,
            "increment": 5,
            "plies": 4,
            "result": 0.0,
            "kind": "human",
        },
        {
            "White": "B",
            "average_elo": None,
            "base_seconds": None,
            "increment": None,
            "plies": 1,
            "result": None,
            "kind": "human",
        },
    ]


@pytest.mark.parametrize(
    "text",
    [
        "SELECT nothing FROM games",
        "nonsense",
        "SELECT * FROM read_csv('/etc/passwd')",
        "COPY games TO 'x.csv'",
    ],
)
def test_a_bad_question_or_one_that_leaves_the_table_is_refused(corpus: Corpus, text: str) -> None:
    with pytest.raises(ZeroplyError, match="the question: "):
        ask(corpus, text)


def test_a_game_is_shown_alike_from_its_source_and_from_the_corpus(corpus: Corpus) -> None:
    shown = describe(*find_game(corpus.path, 1, CHESS))
    assert shown == describe(*find_game(corpus.path.parent / "games.pgn", 1, CHESS))
    assert shown.startswith("A (2100) – ? (1950)\nresult 0-1, 4 moves\nf3 e5 g4 Qh4#\n")
    assert "r n b . k b n r" in shown


def test_a_game_that_is_not_there_is_named(corpus: Corpus) -> None:
    with pytest.raises(ZeroplyError, match="has 2 games, no game 3"):
        find_game(corpus.path, 3, CHESS)
    with pytest.raises(ZeroplyError, match=r"games\.pgn has fewer than 9,999 games"):
        find_game(SAMPLE, 9_999, CHESS)
