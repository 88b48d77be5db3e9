"""Questions to a corpus in SQL: a table `games` of all tags and of what is derived from the arrays."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.score import UNKNOWN_RESULT, Kind, Split
from zeroply.corpus.store import Corpus
from zeroply.errors import ZeroplyError, needs

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

OF_A_CORPUS = ("game", "split")
"""What a game has only once the corpus is there: no columns of --where."""
RATINGS = "The players' ratings are the columns white_elo and black_elo"
ANSWERS = ("SELECT", "EXPLAIN", "PRAGMA", "CALL", "MULTI")
"""Kinds of statement that answer something; MULTI is what DuckDB makes of a PIVOT."""


def games_table(facts: Mapping[str, NDArray[Any]], tags: pa.Table) -> pa.Table:
    """One row a game: derived columns, then every tag as text.

    `average_elo` is null unless both ratings are known; `base_seconds` and `increment` come from a tag
    TimeControl such as 600+5.
    """
    with needs("data", "SQL"):
        import pyarrow as pa

    ratings = facts["ratings"].astype(np.int64)
    results, years, kinds = facts["results"], facts["years"], facts["kinds"]
    clocks = _time_controls(tags, len(results))
    columns: dict[str, Any] = {
        "white_elo": pa.array(ratings[:, 0], mask=ratings[:, 0] == 0),
        "black_elo": pa.array(ratings[:, 1], mask=ratings[:, 1] == 0),
        "average_elo": pa.array(ratings.mean(axis=1), mask=(ratings == 0).any(axis=1)),
        "result": pa.array(results / 2, mask=results == UNKNOWN_RESULT),
        "year": pa.array(years.astype(np.int64), mask=years == 0),
        "kind": pa.array(np.array([kind.name for kind in Kind])[kinds]),
        "plies": pa.array(facts["lengths"].astype(np.int64)),
        "base_seconds": pa.array([base for base, _ in clocks], pa.int64()),
        "increment": pa.array([increment for _, increment in clocks], pa.int64()),
    }
    taken = {*columns, *OF_A_CORPUS}
    for name in tags.column_names:
        if name.lower() not in taken:  # SQL does not tell upper from lower case; the derived column wins
            columns[name] = tags.column(name)
            taken.add(name.lower())
    return pa.table(columns)


def corpus_table(corpus: Corpus) -> pa.Table:
    """The table `games` of a whole corpus. Games are numbered from 1, as `zeroply data show` does."""
    with needs("data", "SQL"):
        import pyarrow as pa

    facts = {name: np.asarray(corpus.array(name)) for name in ("results", "ratings", "years", "kinds")}
    table = games_table({**facts, "lengths": np.diff(corpus.offsets)}, corpus.tags())
    own = {
        "game": pa.array(np.arange(1, len(corpus) + 1)),
        "split": pa.array(np.array([split.name for split in Split])[corpus.array("splits")]),
    }
    return pa.table({**own, **dict(zip(table.column_names, table.columns, strict=True))})


def _time_controls(tags: pa.Table, games: int) -> list[tuple[int | None, int | None]]:
    if "TimeControl" not in tags.column_names:
        return [(None, None)] * games
    texts = tags.column("TimeControl").to_pylist()
    known = {text: _time_control(text or "") for text in set(texts)}  # a few hundred, in millions of games
    return [known[text] for text in texts]


def _time_control(text: str) -> tuple[int | None, int | None]:
    found = re.fullmatch(r"(\d{1,9})(?:\+(\d{1,9}))?", text)
    return (int(found[1]), int(found[2] or 0)) if found else (None, None)


@dataclass(frozen=True)
class Answer:
    """What JSON can say: numbers, text, booleans, null, lists and objects of them. Names differ."""

    names: list[str]
    rows: list[list[Any]]

    def records(self) -> list[dict[str, Any]]:
        return [dict(zip(self.names, row, strict=True)) for row in self.rows]


def query(games: pa.Table, text: str) -> Answer:
    """The answer to a question about `games`. Dates, blobs and such become text, NaN and infinity null."""
    with database(games, "the question") as opened:
        statements = opened.extract_statements(text)
        if len(statements) != 1 or statements[0].type.name not in ANSWERS:
            raise ZeroplyError("the question: it has no one answer. Write one SELECT … FROM games")
        found = opened.sql(text)
        # DuckDB knows how to write each of its types as JSON; arrow and Python lack some of them. Only whole
        # decimals it writes as 12.0.
        values = ", ".join(
            f"#{number}::HUGEINT" if re.fullmatch(r"DECIMAL\(\d+, ?0\)", str(kind)) else f"#{number}"
            for number, kind in enumerate(found.types, 1)
        )
        texts = found.project(f"json_array({values})").fetchall()
        rows = [json.loads(row, parse_constant=lambda _: None) for (row,) in texts]
        return Answer(_different(found.columns), rows)


def _different(names: Sequence[str]) -> list[str]:
    """A name that comes again gets a number: plies, plies_2."""
    made = list[str]()
    for name in names:
        number, new = 1, name
        while new in made or (number > 1 and new in names):
            number += 1
            new = f"{name}_{number}"
        made.append(new)
    return made


@contextmanager
def database(games: pa.Table, what: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database of this table and nothing else: no files. Its errors become one line about `what`."""
    with needs("data", "SQL"):
        import duckdb

    with duckdb.connect(
        config={"enable_external_access": False, "autoload_known_extensions": False}
    ) as opened:
        opened.register("games", games)
        try:
            yield opened
        except duckdb.Error as error:
            raise ZeroplyError(f"{what}: {_explained(str(error), games)}") from None


def _explained(error: str, games: pa.Table) -> str:
    """DuckDB's first line, and what to do about it."""
    reason = error.splitlines()[0].rstrip(" .!")
    missing = re.search(r'column "([^"]+)" not found', error)
    if missing and re.fullmatch(r"(white|black|red)elo", missing[1], re.IGNORECASE):
        return f"{reason}. {RATINGS}"
    if missing:
        return f"{reason}: no game has such a tag. Columns: {', '.join(games.column_names)}"
    if "VARCHAR" in reason and "cast" in reason:
        numbers = [field.name for field in games.schema if str(field.type) in ("int64", "double")]
        return (
            f"{reason}. Tags are text: write Rating::INT to compare a tag Rating with numbers. {RATINGS}; "
            f"these have numbers: {', '.join(numbers)}"
        )
    if reason.startswith("Conversion Error"):
        return f"{reason}. Write TRY_CAST(Rating AS INT) where a tag Rating is not a number in every game"
    return reason
