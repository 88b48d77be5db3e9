"""Questions to a corpus in SQL: a table `games` of all tags and of what is derived from the arrays."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.score import UNKNOWN_RESULT, Kind
from zeroply.corpus.store import Corpus
from zeroply.corpus.tags import read_tags
from zeroply.errors import ZeroplyError, needs

if TYPE_CHECKING:
    import pyarrow as pa


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
        "game": pa.array(np.arange(len(results))),
        "white_elo": pa.array(ratings[:, 0], mask=ratings[:, 0] == 0),
        "black_elo": pa.array(ratings[:, 1], mask=ratings[:, 1] == 0),
        "average_elo": pa.array(ratings.mean(axis=1), mask=(ratings == 0).any(axis=1)),
        "result": pa.array(results / 2, mask=results == UNKNOWN_RESULT),
        "year": pa.array(years.astype(np.int64), mask=years == 0),
        "kind": pa.array(np.array([kind.name for kind in Kind])[kinds]),
        "plies": pa.array(facts["lengths"]),
        "base_seconds": pa.array([base for base, _ in clocks], pa.int64()),
        "increment": pa.array([increment for _, increment in clocks], pa.int64()),
    }
    taken = {name.lower() for name in columns}
    for name in tags.column_names:
        if name.lower() not in taken:  # SQL does not tell upper from lower case; the derived column wins
            columns[name] = tags.column(name)
            taken.add(name.lower())
    return pa.table(columns)


def _time_controls(tags: pa.Table, games: int) -> list[tuple[int | None, int | None]]:
    if "TimeControl" not in tags.column_names:
        return [(None, None)] * games
    texts = tags.column("TimeControl").to_pylist()
    known = {text: _time_control(text or "") for text in set(texts)}  # a few hundred, in millions of games
    return [known[text] for text in texts]


def _time_control(text: str) -> tuple[int | None, int | None]:
    found = re.fullmatch(r"(\d{1,9})(?:\+(\d{1,9}))?", text)
    return (int(found[1]), int(found[2] or 0)) if found else (None, None)


def matching(games: pa.Table, where: str) -> NDArray[np.bool_]:
    """[games] which rows a condition holds for; where it is null, it does not."""
    # The condition is the user's own, and the database holds nothing but this table.
    rows = query(games, f"SELECT game FROM games WHERE ({where})", f"--where {where}")  # noqa: S608
    keep = np.zeros(games.num_rows, np.bool_)
    keep[rows["game"].to_numpy()] = True
    return keep


def query(games: pa.Table, text: str, what: str) -> pa.Table:
    """The answer to a question about `games`. The database sees that table and nothing else: no files."""
    with needs("data", "SQL"):
        import duckdb

    with duckdb.connect(
        config={"enable_external_access": False, "autoload_known_extensions": False}
    ) as database:
        database.register("games", games)
        try:
            return database.sql(text).to_arrow_table()
        except duckdb.Error as error:
            reason = str(error).splitlines()[0]
            raise ZeroplyError(f"{what}: {reason}. Columns: {', '.join(games.column_names)}") from None


def corpus_table(corpus: Corpus) -> pa.Table:
    """The table `games` of a whole corpus."""
    facts = {name: np.asarray(corpus.array(name)) for name in ("results", "ratings", "years", "kinds")}
    return games_table({**facts, "lengths": np.diff(corpus.offsets)}, read_tags(corpus.path / "tags.parquet"))
