"""Questions in SQL over tags and derived columns; the database sees nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sources import CHESS, SAMPLE
from zeroply.corpus.build import build
from zeroply.corpus.score import Split
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
    return query(corpus_table(corpus), text).records()


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


def test_games_are_numbered_as_show_numbers_them_and_have_their_part(corpus: Corpus) -> None:
    rows = ask(corpus, "SELECT game, split, White FROM games ORDER BY game")
    assert [row["game"] for row in rows] == [1, 2]
    for row in rows:
        assert str(row["White"]) in describe(*find_game(corpus.path, int(str(row["game"])), CHESS))
        games = corpus.games_in(Split[str(row["split"])])
        assert int(str(row["game"])) - 1 in games


FAMILIES = {
    "true": True,
    "(-128)::TINYINT": -128,
    "18446744073709551615::UBIGINT": 2**64 - 1,
    "(2::HUGEINT ** 100)::HUGEINT": 2**100,
    "sum(plies)": 5,
    "1.50::DECIMAL(9, 2)": 1.5,
    "12::DECIMAL(9, 0)": 12,
    "0.5::FLOAT": 0.5,
    "'nan'::DOUBLE": None,
    "'-inf'::FLOAT": None,
    "[1.0, 'nan'::DOUBLE]": [1.0, None],
    "NULL": None,
    "'é\"'": 'é"',
    "'a\\x00b'::BLOB": "a\\x00b",
    "'0101'::BIT": "0101",
    "'4ac7a9e9-607c-4c8a-84f3-843f0191e3fd'::UUID": "4ac7a9e9-607c-4c8a-84f3-843f0191e3fd",
    "DATE '2020-02-29'": "2020-02-29",
    "TIME '12:34:56.5'": "12:34:56.5",
    "TIMESTAMP '2020-02-29 12:34:56'": "2020-02-29 12:34:56",
    "'2020-02-29 12:34:56.123456789'::TIMESTAMP_NS": "2020-02-29 12:34:56.123456789",
    "INTERVAL 14 MONTH": "1 year 2 months",
    "'a'::ENUM ('a', 'b')": "a",
    "[1, NULL]": [1, None],
    "[[1], []]": [[1], []],
    "array_value(1, 2)": [1, 2],
    "{'a': 1, 'b': {'c': DATE '2020-01-01'}}": {"a": 1, "b": {"c": "2020-01-01"}},
    "MAP {'a': 1}": {"a": 1},
    "union_value(a := 1)": {"a": 1},
    "'{\"a\": [1]}'::JSON": {"a": [1]},
}


@pytest.mark.slow
@pytest.mark.parametrize("value", FAMILIES)
def test_every_kind_of_value_becomes_json(corpus: Corpus, value: str) -> None:
    rows = ask(corpus, "SELECT " + value + " AS value FROM games LIMIT 1")  # noqa: S608 (a test)
    assert rows == [{"value": FAMILIES[value]}]
    assert type(rows[0]["value"]) is type(FAMILIES[value])
    json.dumps(rows, allow_nan=False)


def test_all_types_that_duckdb_has_become_json(corpus: Corpus) -> None:
    rows = ask(corpus, "SELECT * FROM test_all_types()")
    assert len(rows) == 3
    json.dumps(rows, allow_nan=False)


def test_columns_of_one_name_are_all_kept(corpus: Corpus) -> None:
    (row,) = ask(corpus, "SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS a")
    assert sorted(map(str, row.values())) == ["1", "2", "3", "4"]
    assert row["a"] == 1
    assert row["a_2"] == 3


@pytest.mark.parametrize(
    "text",
    ["", ";", "-- nothing", "SELECT 1; SELECT 2", "CREATE TABLE x (a INT)", "SET threads = 1", "BEGIN"],
)
def test_what_has_no_one_answer_is_refused(corpus: Corpus, text: str) -> None:
    with pytest.raises(ZeroplyError, match="the question: it has no one answer"):
        ask(corpus, text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "SELECT nothing FROM games",
            r'"nothing" not found in FROM clause: .*Columns: game, split, white_elo',
        ),
        ("SELECT WhiteElo FROM games", r"not found in FROM clause\. The players' ratings are the columns"),
        ("SELECT * FROM games WHERE White > 5", r"Tags are text: write Rating::INT"),
        ("SELECT White::INT FROM games", r"Write TRY_CAST\(Rating AS INT\)"),
        ("SELECT * FROM nothing", r"Table with name nothing does not exist$"),
        ("nonsense", r'syntax error at or near "nonsense"$'),
    ],
)
def test_errors_say_what_to_do(corpus: Corpus, text: str, wanted: str) -> None:
    with pytest.raises(ZeroplyError, match=wanted) as caught:
        ask(corpus, text)
    assert "\n" not in str(caught.value)


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
    assert shown.startswith("A (2100) – ? (1950)\nresult 0-1, 4 plies\nf3 e5 g4 Qh4#\n")
    assert "r n b . k b n r" in shown


def test_a_game_that_is_not_there_is_named(corpus: Corpus) -> None:
    with pytest.raises(ZeroplyError, match="has 2 games, no game 3"):
        find_game(corpus.path, 3, CHESS)
    with pytest.raises(ZeroplyError, match=r"games\.pgn has fewer than 9,999 games"):
        find_game(SAMPLE, 9_999, CHESS)
