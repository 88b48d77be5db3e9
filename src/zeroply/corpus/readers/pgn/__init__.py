"""PGN: main lines with their tags, and evaluations from comments. Each bad game costs only itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from zeroply.corpus.readers.base import Reader
from zeroply.corpus.readers.batches import batched
from zeroply.corpus.readers.pgn.comments import clocks, evaluations, style_of
from zeroply.corpus.readers.pgn.lines import Line, Lines, Movetext, Parse
from zeroply.corpus.readers.pgn.moves import parser
from zeroply.corpus.readers.pgn.split import GameText, last_game, split
from zeroply.corpus.readers.pieces import Piece, text_pieces
from zeroply.corpus.score import NO_CLOCK, NO_EVALUATION, UNKNOWN_RESULT, Kind, Skipped
from zeroply.corpus.scores import Scores, by_ply
from zeroply.games import Game
from zeroply.games.notation import RESULTS

HALF_POINTS: dict[str, int] = {text: round(2 * points) for points, text in RESULTS.items()}
OWN_COLUMNS = frozenset({"Result", "WhiteElo", "BlackElo", "FEN", "SetUp"})
"""Tags that have arrays of their own."""
MOST_ELO = 5000
"""What is more is nonsense; the best engines of the best testers have some 4000."""
FIRST = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def _pieces(source: Path) -> Iterator[Piece]:
    return text_pieces(source, last_game)


def _parse(piece: Piece, game: Game) -> Scores:
    return parse_with(parser(game), piece)


READER = Reader(_pieces, _parse)


def parse_with(parse: Parse, piece: Piece) -> Scores:
    """By a parser of choice; all give the same."""
    batches = batched(split(piece.text), size=lambda game: len(game.movetext))
    return _scores(((batch, _lines(batch, parse)) for batch in batches), piece.path.name)


def _lines(batch: Sequence[GameText], parse: Parse) -> Lines:
    return parse(
        [
            Movetext(game.movetext, _start(game), style_of(game.movetext) is not None)
            for game in batch
            if game.flaw is None
        ]
    )


def _scores(batches: Iterable[tuple[list[GameText], Lines]], source: str) -> Scores:
    games, skipped = list[GameText](), list[Skipped]()
    moves, lengths = [np.empty(0, np.uint16)], [np.empty(0, np.int64)]
    values, times = list[Sequence[int]](), list[Sequence[int]]()
    for batch, lines in batches:
        sound = [game for game in batch if game.flaw is None]
        skipped += [Skipped(source, game.number, game.flaw) for game in batch if game.flaw is not None]
        skipped += [Skipped(source, sound[at].number, flaw) for at, flaw in lines.flaws.items()]
        games += [game for at, game in enumerate(sound) if at not in lines.flaws]
        moves.append(lines.moves)
        lengths.append(lines.lengths[lines.lengths > 0])
        if lines.comments:
            told = [
                _told(game, line)
                for game, line in zip(sound, lines, strict=True)
                if not isinstance(line, str)
            ]
        else:
            told = [((), ())] * (len(games) - len(values))
        values += [own for own, _ in told]
        times += [own for _, own in told]
    plies = np.concatenate(lengths)
    return Scores(
        moves=np.concatenate(moves),
        lengths=plies,
        results=np.array([_half_points(game) for game in games], np.uint8),
        ratings=np.array(
            [(_rating(game.tags.get("WhiteElo")), _rating(game.tags.get("BlackElo"))) for game in games],
            np.uint16,
        ).reshape(-1, 2),
        years=np.array(
            [_year(game.tags.get("Date") or game.tags.get("UTCDate")) for game in games], np.uint16
        ),
        kinds=np.array([_kind(game) for game in games], np.uint8),
        starts={at: start for at, game in enumerate(games) if (start := _start(game)) is not None},
        evaluations=by_ply(values, plies, NO_EVALUATION, np.int16),
        clocks=by_ply(times, plies, NO_CLOCK, np.uint32),
        tags=[_without_own_columns(game.tags) for game in games],  # the last column, for it takes from them
        skipped=sorted(skipped, key=lambda bad: bad.number),
    )


def _start(game: GameText) -> str | None:
    fen = game.tags.get("FEN")
    return None if fen == FIRST else fen


def _told(game: GameText, line: Line) -> tuple[Sequence[int], Sequence[int]]:
    """Evaluations and clocks from the comments."""
    style, start = style_of(game.movetext), _start(game)
    if style is None:
        return (), ()
    first_turn = 1 if start and start.split()[1:2] == ["b"] else 0
    return evaluations(line.comments, style, first_turn, game.movetext), clocks(line.comments, style)


def _half_points(game: GameText) -> int:
    """By the tag, or by the end of the moves where the tag does not say."""
    told = game.tags.get("Result", "*")
    ended = told if told in HALF_POINTS else game.movetext.rsplit(None, 1)[-1]
    return HALF_POINTS.get(ended, UNKNOWN_RESULT)


def _kind(game: GameText) -> Kind:
    """Who played, as far as a game tells: Lichess's puzzles have a tag PuzzleId."""
    if "PuzzleId" in game.tags:
        return Kind.puzzle
    if game.tags.get("WhiteType") == "program" or game.tags.get("BlackType") == "program":
        return Kind.engine
    style = style_of(game.movetext)
    return Kind.engine if style is not None and style.by_engine else Kind.human


def _without_own_columns(tags: dict[str, str]) -> dict[str, str]:
    for name in OWN_COLUMNS:
        tags.pop(name, None)
    return tags


@cache
def _rating(text: str | None) -> int:
    return _number(text, most=MOST_ELO)


@cache
def _year(date: str | None) -> int:
    return _number(date and date.split(".")[0], most=3000)


def _number(text: str | None, most: int) -> int:
    """A number of a tag, 0 where there is none or nonsense."""
    return int(text) if text and text.isascii() and text.isdecimal() and int(text) <= most else 0
