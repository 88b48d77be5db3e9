"""Lichess evaluations: each position a game of one move, with what the engine thinks of it.

    .jsonl  {"fen": …, "evals": [{"pvs": [{"cp": …} or {"mate": …}, "line": …], "knodes": …, "depth": …}]},
            a position a line; the deepest evaluation counts. Its first line is the move played; where there
            are several, their first moves and values are kept
    .csv    fen, line, depth, knodes, cp, mate: rows of one position follow each other; the deepest counts,
            and further rows of the same depth and knodes are further lines of it. Of xiangqi too: moves as
            h2e2, with ranks 0 to 9. After a FEN may stand the moves that led from there to the position
            that was judged, `FEN moves e2e4 e7e5`: then these are the game's first, which nobody learns

A FEN has four fields there, values are as White sees them, and castling in a line is the king taking his own
rook, as in Chess960, but not after moves that led there. A position that comes again later, after the same
moves, is a duplicate, whatever its best move.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from zeroply.corpus.evaluation import centipawns, mate
from zeroply.corpus.readers.base import Reader
from zeroply.corpus.readers.checked import Claim, checked
from zeroply.corpus.readers.pieces import Piece, at_any_line, text_pieces
from zeroply.corpus.readers.tables import pieces, rows
from zeroply.corpus.replay import Starts, replay
from zeroply.corpus.score import LINES, NO_EVALUATION, Kind, Score, Skipped
from zeroply.corpus.scores import Scores, gather
from zeroply.errors import PositionError
from zeroply.games import Game
from zeroply.games.chess import KING, ROOK
from zeroply.games.notation import led_to

COLUMNS = ("fen", "line", "depth", "knodes", "cp", "mate")
CASTLING = {"e1h1": "e1g1", "e1a1": "e1c1", "e8h8": "e8g8", "e8a8": "e8c8"}


def _pieces(source: Path) -> Iterator[Piece]:
    return text_pieces(source, at_any_line)


def _pieces_of_table(source: Path) -> Iterator[Piece]:
    return pieces(source, COLUMNS, together="fen")


def _parse(piece: Piece, game: Game) -> Scores:
    return _scores(piece, map(_from_json, filter(str.strip, io.StringIO(piece.text))), game)


def _parse_table(piece: Piece, game: Game) -> Scores:
    return _scores(piece, _from_csv(piece.text), game)


def _scores(piece: Piece, table: Iterable[dict[str, Any] | str], game: Game) -> Scores:
    name = piece.path.name
    return _with_legal_lines(gather(checked(_claims(table, name, game), game, name)), game)


READER = Reader(_pieces, _parse, only="chess")
TABLE = Reader(_pieces_of_table, _parse_table)


def _claims(table: Iterable[dict[str, Any] | str], source: str, game: Game) -> Iterator[Claim | Skipped]:
    for number, entry in enumerate(table, 1):
        if isinstance(entry, str):
            yield Skipped(source, number, entry)
            continue
        fen, past = led_to(str(entry["fen"]))
        fields = fen.split()
        start = " ".join([*fields, "0", "1"] if len(fields) == 4 else fields)
        black = (fields[1:2] == ["b"]) != (len(past) % 2 == 1)
        # Whoever tells the moves that led there names all as the table does.
        castled = str if past else partial(_named, start=start, game=game)
        best = [castled(move) for move in str(entry["line"] or "").split()[:1]]
        try:
            yield Claim(
                number,
                [*past, *best] if best else [],
                Score(
                    moves=(),
                    start=start,
                    evaluations=[*[NO_EVALUATION] * len(past), _value(entry, black=black)],
                    lines=[*[[]] * len(past), found]
                    if (found := _lines(entry, game, castled, black=black))
                    else (),
                    kind=Kind.label,
                    past=len(past),
                    tags={name: str(entry[name]) for name in ("depth", "knodes") if entry[name]},
                ),
            )
        except (ValueError, TypeError, OverflowError):
            yield Skipped(source, number, f"cp {entry['cp']!r}, mate {entry['mate']!r} is no evaluation")


def _lines(
    entry: dict[str, Any], game: Game, castled: Callable[[str], str], *, black: bool
) -> list[tuple[int, int]]:
    """The first moves of all lines with their values, where there are several; what is none is left out."""
    found = dict[int, int]()
    for line in (entry, *entry["others"]) if entry["others"] else ():
        try:
            move = castled(str(line["line"] or "").partition(" ")[0])
            found.setdefault(game.moves.numbers[move], _value(line, black=black))
        except (ValueError, TypeError, OverflowError, LookupError):
            continue
    return list(found.items())[:LINES] if len(found) > 1 else []


def _with_legal_lines(scores: Scores, game: Game) -> Scores:
    """Without the moves of further lines that are not legal: those of the first are checked already."""
    if scores.lines is None:
        return scores
    moves = scores.lines[:, :, 0]
    ply, line = (moves >= 0).nonzero()
    starts = Starts(games=np.array(list(scores.starts)), state=game.rows(list(scores.starts.values())))
    rows = replay(game, scores.moves.astype(np.int16), scores.lengths, starts).state
    legal = game.allows({name: column[ply] for name, column in rows.items()}, moves[ply, line])
    lines = scores.lines.copy()
    lines[ply[~legal], line[~legal]] = NO_EVALUATION
    return replace(scores, lines=lines)


def _named(move: str, start: str, game: Game) -> str:
    """The move by its name in the table: castling is the king's own step."""
    if game.name != "chess" or move not in CASTLING:
        return move
    try:
        board = game.start(start).row(0)["board"][0]
    except PositionError:
        return move  # the checks will tell
    number = game.moves.number(move)
    king, rook = board[game.moves.start[number]], board[game.moves.end[number]]
    return CASTLING[move] if (king, rook) in ((KING, ROOK), (-KING, -ROOK)) else move


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
    except (ValueError, RecursionError):
        return f"it is no evaluated position: '{line.strip()[:40]}' is no JSON"
    try:
        deepest = max(position["evals"], key=lambda found: found["depth"])
        best, *others = deepest["pvs"]
        row = {"fen": position["fen"], "depth": deepest["depth"], "knodes": deepest.get("knodes")}
        row |= _of_line(best)
        others = [_of_line(other) for other in others]
    except (ValueError, LookupError, TypeError, AttributeError):
        return 'it is no evaluated position: that has "fen" and "evals", and each of these "depth" and "pvs"'
    return {**{name: _writable(value) for name, value in row.items()}, "others": others}


def _of_line(line: dict[str, Any]) -> dict[str, Any]:
    return {name: line.get(name) for name in ("line", "cp", "mate")}


def _writable(value: Any) -> Any:
    """JSON can spell halves of characters, which no file can hold."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _from_csv(text: str) -> Iterator[dict[str, Any] | str]:
    table = rows(text)
    for _, same in groupby(table, key=lambda row: row if isinstance(row, str) else row["fen"]):
        try:
            found = list(same)
            deepest = max(found, key=_depth)
            others = [row for row in found if row is not deepest and _same_look(row, deepest)]
            yield deepest if isinstance(deepest, str) else {**deepest, "others": others}
        except ValueError as error:
            yield f"it is no evaluated position: {error}"


def _same_look(row: dict[str, Any] | str, deepest: dict[str, Any] | str) -> bool:
    """Whether two rows are lines of one evaluation."""
    if isinstance(row, str) or isinstance(deepest, str):
        return False
    return all(row[name] == deepest[name] for name in ("depth", "knodes"))


def _depth(row: dict[str, Any] | str) -> float:
    if isinstance(row, str):
        return 0.0
    try:
        return _number(row["depth"]) or 0.0
    except ValueError:
        raise ValueError(f"depth '{row['depth']}' is no number") from None
