"""Lichess evaluations: each position a game of one move, with what the engine thinks of it.

    .jsonl  {"fen": …, "evals": [{"pvs": [{"cp": …} or {"mate": …}, "line": …], "knodes": …, "depth": …}]},
            a position a line; the deepest evaluation counts, and its first line
    .csv    fen, line, depth, knodes, cp, mate: rows of one position follow each other; the deepest counts

A FEN has four fields there, values are as White sees them, and castling in a line is the king taking his own
rook, as in Chess960. A position that comes again later is dropped.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from zeroply.corpus.readers.checked import Claim, checked
from zeroply.corpus.readers.evaluation import centipawns, mate
from zeroply.corpus.readers.files import open_text
from zeroply.corpus.readers.pgn.moves import parser
from zeroply.corpus.readers.skipped import Skipped
from zeroply.corpus.readers.tables import rows
from zeroply.corpus.score import Kind, Score
from zeroply.games import Game

COLUMNS = ("fen", "line", "depth", "knodes", "cp", "mate")
SLOTS = 2**25
"""Room for hashes of positions: 256 MB when full."""


def read(source: Path, game: Game) -> Iterator[Score | Skipped]:
    parse = parser(source, game)
    with open_text(source) as lines:
        table = _from_csv(lines, source) if ".csv" in source.suffixes else map(_from_json, lines)
        yield from checked(_claims(table, source.name), parse, source.name)


def _claims(table: Iterable[dict[str, Any] | str], source: str) -> Iterator[Claim | Skipped]:
    seen = Seen()
    for number, entry in enumerate(table, 1):
        if isinstance(entry, str):
            yield Skipped(source, number, entry)
            continue
        fields = str(entry["fen"]).split()
        if seen.add(" ".join(fields[:4])):
            continue
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


def _from_csv(lines: Iterable[str], source: Path) -> Iterator[dict[str, Any] | str]:
    table = rows(lines, source, COLUMNS)
    for _, same in groupby(table, key=lambda row: row if isinstance(row, str) else row["fen"]):
        try:
            yield max(same, key=lambda row: 0.0 if isinstance(row, str) else _number(row["depth"]) or 0.0)
        except ValueError as error:
            yield f"it is no evaluated position: {error}"


class Seen:
    """The positions of late, as 64-bit hashes in a table of fixed size, where a new one takes the place of an
    old one: bounded memory, at the price that a position may come again after many millions of others."""

    def __init__(self, slots: int = SLOTS) -> None:
        self._hashes = np.zeros(slots, np.uint64)

    def add(self, position: str) -> bool:
        """Notes a position; whether it was there."""
        number = int.from_bytes(hashlib.blake2b(position.encode(), digest_size=8).digest(), "little") or 1
        slot = number % len(self._hashes)
        there = int(self._hashes[slot]) == number
        self._hashes[slot] = number
        return there
