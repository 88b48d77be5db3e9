"""Lichess evaluations: each position a game of one move, with what the engine thinks of it.

    .jsonl  {"fen": …, "evals": [{"pvs": [{"cp": …} or {"mate": …}, "line": …], "knodes": …, "depth": …}]},
            a position a line; the deepest evaluation counts, and its first line
    .csv    fen, line, depth, knodes, cp, mate: rows of one position follow each other; the deepest counts

A FEN has four fields there, values are as White sees them, and castling in a line is the king taking his own
rook, as in Chess960. A position that comes again later is a duplicate, whatever its best move.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from zeroply.corpus.readers.base import Reader
from zeroply.corpus.readers.checked import Claim, checked
from zeroply.corpus.readers.evaluation import centipawns, mate
from zeroply.corpus.readers.pieces import Piece, at_any_line, text_pieces
from zeroply.corpus.readers.tables import pieces, rows
from zeroply.corpus.score import Kind, Score, Skipped
from zeroply.corpus.scores import Scores, gather
from zeroply.games import Game

COLUMNS = ("fen", "line", "depth", "knodes", "cp", "mate")


def _pieces(source: Path) -> Iterator[Piece]:
    return text_pieces(source, at_any_line)


def _pieces_of_table(source: Path) -> Iterator[Piece]:
    return pieces(source, COLUMNS, together="fen")


def _parse(piece: Piece, game: Game) -> Scores:
    return _scores(piece, map(_from_json, io.StringIO(piece.text)), game)


def _parse_table(piece: Piece, game: Game) -> Scores:
    return _scores(piece, _from_csv(piece.text), game)


def _scores(piece: Piece, table: Iterable[dict[str, Any] | str], game: Game) -> Scores:
    name = piece.path.name
    return gather(checked(_claims(table, name), game, name))


READER = Reader(_pieces, _parse, only="chess")
TABLE = Reader(_pieces_of_table, _parse_table, only="chess")


def _claims(table: Iterable[dict[str, Any] | str], source: str) -> Iterator[Claim | Skipped]:
    for number, entry in enumerate(table, 1):
        if isinstance(entry, str):
            yield Skipped(source, number, entry)
            continue
        fields = str(entry["fen"]).split()
        try:
            yield Claim(
                number,
                str(entry["line"] or "").split()[:1],
                Score(
                    moves=(),
                    start=" ".join([*fields, *("0", "1")[max(0, len(fields) - 4) :]]),
                    evaluations=[_value(entry, black=fields[1:2] == ["b"])],
                    kind=Kind.engine,
                    tags={name: str(entry[name]) for name in ("depth", "knodes") if entry[name]},
                ),
            )
        except (ValueError, TypeError, OverflowError):
            yield Skipped(source, number, f"cp {entry['cp']!r}, mate {entry['mate']!r} is no evaluation")


def _value(entry: dict[str, Any], *, black: bool) -> int:
    """The mover's view."""
    if (moves := _number(entry["mate"])) is not None:
        return mate(abs(int(moves)), for_mover=(moves > 0) != black)
    if (value := _number(entry["cp"])) is not None:
        return centipawns(-value if black else value)
    raise ValueError


def _number(value: Any) -> float | None:
    """A number of JSON or of a table, where programs write a missing one in several ways."""
    return None if value in (None, "", "None", "nan", "NaN") else float(value)


def _from_json(line: str) -> dict[str, Any] | str:
    """The row of a line, or what is wrong with it."""
    try:
        position = json.loads(line)
        deepest = max(position["evals"], key=lambda found: found["depth"])
        best = deepest["pvs"][0]
        row = {"fen": position["fen"], "depth": deepest["depth"], "knodes": deepest.get("knodes")}
        return row | {"line": best.get("line"), "cp": best.get("cp"), "mate": best.get("mate")}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        return f"it is no evaluated position: {error!r}"


def _from_csv(text: str) -> Iterator[dict[str, Any] | str]:
    table = rows(text)
    for _, same in groupby(table, key=lambda row: row if isinstance(row, str) else row["fen"]):
        try:
            yield max(same, key=lambda row: 0.0 if isinstance(row, str) else _number(row["depth"]) or 0.0)
        except ValueError as error:
            yield f"it is no evaluated position: {error}"
