"""`--where`: which games a corpus keeps. A condition on one game alone, and the same whenever it is asked:
so shards can be asked one by one, and a corpus has the same bytes however its sources were cut."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.sql import OF_A_CORPUS, database, games_table
from zeroply.errors import ZeroplyError, needs

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

OF_THE_MOMENT = {"current_date", "current_time", "current_timestamp", "localtime", "localtimestamp"}
"""Written like columns."""
CALLED_CONSISTENT = {"age"}
"""What DuckDB takes for a function of its arguments, though with one argument it counts from today."""


@cache
def check_condition(where: str) -> None:
    """Refuse what cannot be a condition, before anything is read. Only whether games have a tag shows later.

    The condition is bound to a table without games that has every tag it names.
    """
    with needs("data", "--where"):
        import pyarrow as pa

    what = f"--where {where}"
    with database(_no_games(pa.table({})), what) as opened:
        parts = list(_parts(_condition(opened, where, what)))
        columns = {_column(part["column_names"]) for part in parts if part.get("class") == "COLUMN_REF"}
        for column in columns:
            if column.lower() in OF_A_CORPUS:
                raise ZeroplyError(
                    f"{what}: '{column}' is known only once the corpus is there. Choose by tags and ratings"
                )
        if any(part.get("class") == "SUBQUERY" for part in parts):
            raise ZeroplyError(f"{what}: a condition looks at one game, so it has no SELECT of its own")
        names = {part["function_name"].lower() for part in parts if part.get("class") == "FUNCTION"}
        for name in sorted(names | {column.lower() for column in columns} & OF_THE_MOMENT):
            if _changes(opened, name):
                raise ZeroplyError(
                    f"{what}: '{name}' is not the same at every build. Choose by what games tell"
                )
    tags = {name: pa.array([], pa.string()) for name in sorted(columns)}
    _fitting(_no_games(pa.table(tags)), where)  # here DuckDB refuses aggregates, windows and wrong types


def matching(games: pa.Table, where: str) -> NDArray[np.bool_]:
    """[games] which rows a condition holds for; where it is null, it does not."""
    check_condition(where)
    keep = np.zeros(games.num_rows, np.bool_)
    keep[_fitting(games, where)] = True
    return keep


def _fitting(games: pa.Table, where: str) -> NDArray[np.int64]:
    """The numbers of rows, from 0, that a condition holds for."""
    import pyarrow as pa

    with database(games, f"--where {where}") as opened:
        opened.register("games", games.append_column("game", pa.array(np.arange(games.num_rows))))
        return np.asarray(opened.sql(_question(where)).fetchnumpy()["game"], np.int64)


def _question(where: str) -> str:
    # The condition is the user's own, and the database holds nothing but the games. The line ends keep a
    # comment from swallowing the bracket.
    return f"SELECT game FROM games WHERE (\n{where}\n)"  # noqa: S608


def _no_games(tags: pa.Table) -> pa.Table:
    facts = {name: np.empty(0, np.uint8) for name in ("results", "years", "kinds", "lengths")}
    return games_table({**facts, "ratings": np.empty((0, 2), np.uint16)}, tags)


def _condition(opened: duckdb.DuckDBPyConnection, where: str, what: str) -> Any:
    """The condition as DuckDB parses it; nothing may stand around it (`true) LIMIT (3`)."""
    found, plain = _parsed(opened, _question(where)), _parsed(opened, _question("true"))
    if not where.strip():
        raise ZeroplyError(f"{what}: it is empty. Write a condition such as plies >= 10")
    if found["error"]:
        raise ZeroplyError(f"{what}: {found['error_message']}. Write a condition such as plies >= 10")
    (wanted, condition), (usual, _) = _apart(found), _apart(plain)
    if wanted != usual:
        raise ZeroplyError(f"{what}: this is more than a condition. Write one such as plies >= 10")
    return condition


def _parsed(opened: duckdb.DuckDBPyConnection, text: str) -> Any:
    """DuckDB's own tree of a SELECT."""
    [(tree,)] = opened.execute("SELECT json_serialize_sql(?::VARCHAR)", [text]).fetchall()
    return json.loads(tree)


def _apart(tree: Any) -> tuple[Any, Any]:
    """A parsed question without its condition, and the condition."""
    nodes = [statement["node"] for statement in tree["statements"]]
    return [{**node, "where_clause": None} for node in nodes], [node.get("where_clause") for node in nodes]


def _parts(tree: Any) -> Iterator[dict[str, Any]]:
    if isinstance(tree, dict):
        yield tree
    for child in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from _parts(child)


def _column(path: list[str]) -> str:
    return path[1] if len(path) > 1 and path[0].lower() == "games" else path[0]


def _changes(opened: duckdb.DuckDBPyConnection, name: str) -> bool:
    """Whether a function gives other values at other times, or a macro calls one that does."""
    if name in OF_THE_MOMENT | CALLED_CONSISTENT:
        return True
    kinds = opened.execute(
        "SELECT stability, macro_definition FROM duckdb_functions() "
        "WHERE lower(function_name) = ? AND function_type IN ('scalar', 'macro')",
        [name],
    ).fetchall()
    called = {
        word.lower()
        for _, text in kinds
        if text
        for part in _parts(_parsed(opened, f"SELECT {text}"))
        for word in (part.get("function_name"), *part.get("column_names", ()))
        if word and word.lower() != name
    }
    return any(stability not in (None, "CONSISTENT") for stability, _ in kinds) or any(
        _changes(opened, other) for other in called
    )
