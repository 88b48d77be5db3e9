"""Games of engines as CSV, one row a position, as seed 004 keeps them:

    game    the rows of a game follow each other with the same name or number
    ply     counts up by one within a game
    fen     the position before the move; the first one is the game's start
    move    UCI; of xiangqi h2e2, with ranks 0 to 9
    score   the mover's evaluation of that position in centipawns, #3 if he mates in three moves, #-3 if he is
            mated; empty for none
    result  the first player's points, 0, 0.5 or 1; empty if unknown

All other columns are tags, taken from a game's first row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, pairwise
from pathlib import Path

from zeroply.corpus.evaluation import centipawns, mate
from zeroply.corpus.readers.base import Reader
from zeroply.corpus.readers.checked import Claim, checked
from zeroply.corpus.readers.pieces import Piece
from zeroply.corpus.readers.tables import pieces, rows
from zeroply.corpus.score import NO_EVALUATION, Kind, Score, Skipped
from zeroply.corpus.scores import Scores, gather
from zeroply.games import Game

COLUMNS = ("game", "ply", "fen", "move", "score", "result")
PLY = re.compile(r" *-?[0-9]{1,9} *")
MATE = re.compile(r"#[+-]?[0-9]{1,9}")
RESULTS = {"0": 0.0, "0.0": 0.0, "0.5": 0.5, "1": 1.0, "1.0": 1.0, "": None}


def _pieces(source: Path) -> Iterator[Piece]:
    return pieces(source, COLUMNS, together="game")


def _parse(piece: Piece, game: Game) -> Scores:
    return gather(checked(_claims(piece, game), game, piece.path.name))


READER = Reader(_pieces, _parse)


def _claims(piece: Piece, game: Game) -> Iterator[Claim | Skipped]:
    usual = " ".join(game.fens(game.first_state())[0].split()[:3])  # whatever the clocks say
    by_game = groupby(rows(piece.text), key=lambda row: row if isinstance(row, str) else row["game"])
    for number, (flaw, same) in enumerate(by_game, 1):
        found = [row for row in same if not isinstance(row, str)]
        try:
            if not found:
                raise ValueError(flaw)
            yield Claim(number, [row["move"] for row in found], _score(found, usual))
        except ValueError as error:
            yield Skipped(piece.path.name, number, str(error))


def _score(game: list[dict[str, str]], usual: str) -> Score:
    first = game[0]
    plies = [_ply(row["ply"]) for row in game]
    for before, after in pairwise(plies):
        if after != before + 1:
            raise ValueError(f"ply {after} follows ply {before}")
    if first["result"] not in RESULTS:
        raise ValueError(f"'{first['result']}' is no result: 0, 0.5 or 1 of the first player")
    evaluations = [_evaluation(row["score"]) for row in game]
    return Score(
        moves=(),
        start=None if first["fen"].startswith(usual) else first["fen"],
        result=RESULTS[first["result"]],
        evaluations=evaluations if any(value != NO_EVALUATION for value in evaluations) else (),
        kind=Kind.engine,
        tags={name: value for name, value in first.items() if name and name not in COLUMNS and value},
    )


def _ply(text: str) -> int:
    if not PLY.fullmatch(text):
        raise ValueError(f"'{text[:40]}' is no ply: a whole number")
    return int(text)


def _evaluation(text: str) -> int:
    if not text:
        return NO_EVALUATION
    if MATE.fullmatch(text):
        return mate(abs(int(text[1:])), for_mover=not text.startswith("#-"))
    try:
        return centipawns(float(text))
    except ValueError:
        raise ValueError(f"'{text[:40]}' is no score: centipawns, #3 or #-3") from None
