"""PGN: main lines with their tags, and evaluations from comments. Each bad game costs only itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.readers.base import Reader
from zeroply.corpus.readers.pgn.comments import Style, clocks, evaluations, style_of
from zeroply.corpus.readers.pgn.dates import year
from zeroply.corpus.readers.pgn.foreign import foreign
from zeroply.corpus.readers.pgn.headers import Columns, chosen, derived
from zeroply.corpus.readers.pgn.lines import Line, Movetext, Parse
from zeroply.corpus.readers.pgn.moves import parser
from zeroply.corpus.readers.pgn.split import batches, ends_with_result, last_game
from zeroply.corpus.readers.pgn.texts import Games
from zeroply.corpus.readers.pieces import Piece, text_pieces
from zeroply.corpus.score import MOST_ELO, NO_CLOCK, NO_EVALUATION, UNKNOWN_RESULT, Kind, Skipped
from zeroply.corpus.scores import Scores, by_ply, together
from zeroply.games import Game
from zeroply.games.notation import RESULTS

HALF_POINTS: dict[str | None, int] = {text: round(2 * points) for points, text in RESULTS.items()}


def _pieces(source: Path) -> Iterator[Piece]:
    return text_pieces(source, last_game)


def _parse(piece: Piece, game: Game) -> Scores:
    return parse_with(parser(game), piece, game)


def _breaks_off(last: Piece) -> str | None:
    """A record ends with a result, be it *. One whose file was cut is a game as far as it goes."""
    if ends_with_result(last.text):
        return None
    return f"{last.path} ends in the midst of a game: no result follows its last move. Is the file complete?"


READER = Reader(_pieces, _parse, _breaks_off)


def parse_with(parse: Parse, piece: Piece, game: Game) -> Scores:
    """By a parser of choice; all of a game give the same."""
    parts, before = list[Scores](), 0
    for games in batches(piece.text):
        parts.append(_scores(games, parse, piece.path.name, before, game))
        before += parts[-1].items
    return together(parts)


def _scores(games: Games, parse: Parse, source: str, before: int, game: Game) -> Scores:
    """Of a batch; so many games of the piece came before it."""
    tags, movetexts = games.tags, games.movetexts
    starts = _starts(tags, game)
    flaws = {**games.flaws, **foreign(tags, game)}
    styles = [style_of(movetext) for movetext in movetexts]
    sound = [at for at in range(len(movetexts)) if at not in flaws]
    lines = parse([Movetext(movetexts[at], starts.get(at), styles[at] is not None) for at in sound])
    flaws |= {sound[number]: flaw for number, flaw in lines.flaws.items()}
    kept = [at for at in sound if at not in flaws]
    plies = lines.lengths[lines.lengths > 0]
    told = (
        [((), ())] * len(kept)
        if not lines.comments
        else [
            _told(movetexts[at], line, styles[at], starts.get(at))
            for at, line in zip(sound, lines, strict=True)
            if not isinstance(line, str)
        ]
    )
    if flaws:
        tags = chosen(tags, kept)
    results = [HALF_POINTS.get(told, UNKNOWN_RESULT) for told in _results(tags, movetexts, kept)]
    ratings = [derived(tags, f"{side}Elo", len(kept), _rating) for side in game.sides]
    past = derived(tags, "Past", len(kept), _past)
    past[past >= plies] = 0
    own = {"Result", "FEN", "SetUp", "Past", *(f"{side}Elo" for side in game.sides)}
    return Scores(
        moves=lines.moves,
        lengths=plies,
        results=np.array(results, np.uint8),
        ratings=np.stack(ratings, axis=1),
        years=np.maximum(*(derived(tags, name, len(kept), year) for name in ("Date", "UTCDate"))),
        kinds=_kinds(tags, [styles[at] for at in kept], game),
        starts={place: starts[at] for place, at in enumerate(kept) if at in starts} if starts else {},
        evaluations=by_ply([values for values, _ in told], plies, NO_EVALUATION, np.int16),
        clocks=by_ply([times for _, times in told], plies, NO_CLOCK, np.uint32),
        past=past if past.any() else None,
        tags={name: column for name, column in tags.items() if name not in own},
        skipped=[Skipped(source, before + at + 1, flaws[at]) for at in sorted(flaws)],
    )


def _starts(tags: Columns, game: Game) -> dict[int, str]:
    """The FENs of those that do not begin with the usual first position."""
    if "FEN" not in tags:
        return {}
    first = game.fens(game.first_state())[0]
    return {at: fen for at, fen in enumerate(tags["FEN"]) if fen is not None and fen != first}


def _told(
    movetext: str, line: Line, style: Style | None, start: str | None
) -> tuple[Sequence[int], Sequence[int]]:
    """Evaluations and clocks from the comments."""
    if style is None:
        return (), ()
    first_turn = 1 if start and start.split()[1:2] == ["b"] else 0
    return evaluations(line.comments, style, first_turn, movetext), clocks(line.comments, style)


def _results(tags: Columns, movetexts: Sequence[str], kept: Sequence[int]) -> Iterator[str | None]:
    """By the tag, or by the end of the moves where the tag does not say."""
    for at, told in zip(kept, tags.get("Result", [None] * len(kept)), strict=True):
        yield told if told in HALF_POINTS else movetexts[at].rsplit(None, 1)[-1]


def _kinds(tags: Columns, styles: Sequence[Style | None], game: Game) -> NDArray[np.uint8]:
    """Who played, as far as games tell: Lichess's puzzles have a tag PuzzleId, exports of labels Past."""
    by_engine = [style is not None and style.by_engine for style in styles]
    kinds = np.where(by_engine, Kind.engine, Kind.human).astype(np.uint8)
    for side in game.sides:
        kinds[[name == "program" for name in tags.get(f"{side}Type", [None] * len(kinds))]] = Kind.engine
    for tag, kind in (("PuzzleId", Kind.puzzle), ("Past", Kind.label)):
        kinds[[name is not None for name in tags.get(tag, [None] * len(kinds))]] = kind
    return kinds


def _past(text: str | None) -> int:
    """Moves that only led there, as exports of labels tell: `Past "8"`."""
    return int(text) if text and len(text) < 5 and text.isascii() and text.isdecimal() else 0


@cache
def _rating(text: str | None) -> int:
    """0 where there is none, or nonsense."""
    if not text or len(text) > 4 or not (text.isascii() and text.isdecimal()):
        return 0
    return int(text) if int(text) <= MOST_ELO else 0
