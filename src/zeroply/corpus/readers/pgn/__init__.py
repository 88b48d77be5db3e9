"""PGN: main lines with their tags, and evaluations from comments. Each bad game costs only itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from zeroply.corpus.readers.base import Reader
from zeroply.corpus.readers.batches import batched
from zeroply.corpus.readers.pgn.comments import clocks, evaluations, style_of
from zeroply.corpus.readers.pgn.dates import year
from zeroply.corpus.readers.pgn.foreign import foreign
from zeroply.corpus.readers.pgn.lines import Line, Lines, Movetext, Parse
from zeroply.corpus.readers.pgn.moves import parser
from zeroply.corpus.readers.pgn.split import GameText, last_game, split
from zeroply.corpus.readers.pieces import Piece, text_pieces
from zeroply.corpus.score import NO_CLOCK, NO_EVALUATION, UNKNOWN_RESULT, Kind, Skipped
from zeroply.corpus.scores import Scores, by_ply
from zeroply.games import Game
from zeroply.games.notation import RESULTS

HALF_POINTS: dict[str, int] = {text: round(2 * points) for points, text in RESULTS.items()}
MOST_ELO = 5000
"""What is more is nonsense; the best engines of the best testers have some 4000."""


def _pieces(source: Path) -> Iterator[Piece]:
    return text_pieces(source, last_game)


def _parse(piece: Piece, game: Game) -> Scores:
    return parse_with(parser(game), piece, game)


READER = Reader(_pieces, _parse)


def parse_with(parse: Parse, piece: Piece, game: Game) -> Scores:
    """By a parser of choice; all of a game give the same."""
    batches = batched(_texts(piece.text, game), size=lambda text: len(text.movetext))
    return _scores(((batch, _lines(batch, parse)) for batch in batches), piece.path.name, game)


def _texts(text: str, game: Game) -> Iterator[GameText]:
    """The records in a text. Those of other games are marked as such, and a FEN is kept only where it is not
    that of the usual first position."""
    first = game.fens(game.first_state())[0]
    for found in split(text):
        if found.tags.get("FEN") == first:
            del found.tags["FEN"]
        flaw = foreign(found.tags, game)
        yield found if flaw is None else found._replace(flaw=flaw)


def _lines(batch: Sequence[GameText], parse: Parse) -> Lines:
    return parse(
        [
            Movetext(text.movetext, text.tags.get("FEN"), style_of(text.movetext) is not None)
            for text in batch
            if text.flaw is None
        ]
    )


def _scores(batches: Iterable[tuple[list[GameText], Lines]], source: str, game: Game) -> Scores:
    first, second = game.sides
    games, skipped = list[GameText](), list[Skipped]()
    moves, lengths = [np.empty(0, np.uint16)], [np.empty(0, np.int64)]
    values, times = list[Sequence[int]](), list[Sequence[int]]()
    for batch, lines in batches:
        sound = [text for text in batch if text.flaw is None]
        skipped += [Skipped(source, text.number, text.flaw) for text in batch if text.flaw is not None]
        skipped += [Skipped(source, sound[at].number, flaw) for at, flaw in lines.flaws.items()]
        games += [text for at, text in enumerate(sound) if at not in lines.flaws]
        moves.append(lines.moves)
        lengths.append(lines.lengths[lines.lengths > 0])
        if lines.comments:
            told = [
                _told(text, line)
                for text, line in zip(sound, lines, strict=True)
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
        results=np.array([_half_points(text) for text in games], np.uint8),
        ratings=np.array(
            [
                (_rating(text.tags.get(f"{first}Elo")), _rating(text.tags.get(f"{second}Elo")))
                for text in games
            ],
            np.uint16,
        ).reshape(-1, 2),
        years=np.array(
            [year(text.tags.get("Date") or text.tags.get("UTCDate")) for text in games], np.uint16
        ),
        kinds=np.array([_kind(text, game) for text in games], np.uint8),
        starts={at: text.tags["FEN"] for at, text in enumerate(games) if "FEN" in text.tags},
        evaluations=by_ply(values, plies, NO_EVALUATION, np.int16),
        clocks=by_ply(times, plies, NO_CLOCK, np.uint32),
        tags=[
            _without_own_columns(text.tags, game) for text in games
        ],  # the last column, for it takes from them
        skipped=sorted(skipped, key=lambda bad: bad.number),
    )


def _told(text: GameText, line: Line) -> tuple[Sequence[int], Sequence[int]]:
    """Evaluations and clocks from the comments."""
    style, start = style_of(text.movetext), text.tags.get("FEN")
    if style is None:
        return (), ()
    first_turn = 1 if start and start.split()[1:2] == ["b"] else 0
    return evaluations(line.comments, style, first_turn, text.movetext), clocks(line.comments, style)


def _half_points(text: GameText) -> int:
    """By the tag, or by the end of the moves where the tag does not say."""
    told = text.tags.get("Result", "*")
    ended = told if told in HALF_POINTS else text.movetext.rsplit(None, 1)[-1]
    return HALF_POINTS.get(ended, UNKNOWN_RESULT)


def _kind(text: GameText, game: Game) -> Kind:
    """Who played, as far as a game tells: Lichess's puzzles have a tag PuzzleId."""
    if "PuzzleId" in text.tags:
        return Kind.puzzle
    if any(text.tags.get(f"{side}Type") == "program" for side in game.sides):
        return Kind.engine
    style = style_of(text.movetext)
    return Kind.engine if style is not None and style.by_engine else Kind.human


def _without_own_columns(tags: dict[str, str], game: Game) -> dict[str, str]:
    for name in ("Result", "FEN", "SetUp", *(f"{side}Elo" for side in game.sides)):
        tags.pop(name, None)
    return tags


@cache
def _rating(text: str | None) -> int:
    """0 where there is none, or nonsense."""
    return int(text) if text and text.isascii() and text.isdecimal() and int(text) <= MOST_ELO else 0
