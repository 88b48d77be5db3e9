"""PGN: main lines with their tags, and evaluations from comments. Each bad game costs only itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from zeroply.corpus.readers.batches import batched
from zeroply.corpus.readers.files import open_blocks
from zeroply.corpus.readers.pgn.comments import Style, clocks, evaluations, style_of
from zeroply.corpus.readers.pgn.moves import Line, Movetext, Parse, parser
from zeroply.corpus.readers.pgn.split import GameText, split
from zeroply.corpus.readers.skipped import Skipped
from zeroply.corpus.score import Kind, Score
from zeroply.games import Game
from zeroply.games.notation import RESULTS

POINTS: dict[str, float] = {text: points for points, text in RESULTS.items()}
OWN_COLUMNS = ("Result", "WhiteElo", "BlackElo", "FEN", "SetUp")
"""Tags that have arrays of their own."""
MOST_ELO = 5000
"""What is more is nonsense; the best engines of the best testers have some 4000."""
FIRST = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def read(source: Path, game: Game) -> Iterator[Score | Skipped]:
    """The games of a file in their order; `Score.evaluations` as `comments` says."""
    return read_with(parser(source, game), source)


def read_with(parse: Parse, source: Path) -> Iterator[Score | Skipped]:
    """The same by a parser of choice; both give the same."""
    with open_blocks(source) as blocks:
        for batch in batched(split(blocks), size=lambda game: len(game.movetext)):
            yield from _scores(batch, parse, source.name)


def _scores(batch: Iterable[GameText], parse: Parse, source: str) -> Iterator[Score | Skipped]:
    games = [(game, game.flaw or _flaw(game), style_of(game.movetext)) for game in batch]
    lines = iter(
        parse(
            [
                Movetext(game.movetext, _start(game), style is not None)
                for game, flaw, style in games
                if flaw is None
            ]
        )
    )
    for game, flaw, style in games:
        line = flaw or next(lines)
        if isinstance(line, str):
            yield Skipped(source, game.number, line)
        else:
            yield _score(game, line, style)


def _flaw(game: GameText) -> str | None:
    variant = game.tags.get("Variant", "Standard")
    if variant.lower() not in ("standard", "chess", "from position"):
        return f"it is a game of {variant}"
    return None if game.movetext else "it has no moves"


def _start(game: GameText) -> str | None:
    fen = game.tags.get("FEN")
    return None if fen == FIRST else fen


def _score(game: GameText, line: Line, style: Style | None) -> Score:
    tags, start = dict(game.tags), _start(game)
    first_turn = 1 if start and start.split()[1:2] == ["b"] else 0
    ratings = _number(tags.get("WhiteElo"), MOST_ELO), _number(tags.get("BlackElo"), MOST_ELO)
    for name in OWN_COLUMNS:
        tags.pop(name, None)
    return Score(
        moves=line.moves,
        start=start,
        result=_result(game),
        evaluations=() if style is None else evaluations(line.comments, style, first_turn, game.movetext),
        clocks=() if style is None else clocks(line.comments, style),
        ratings=ratings,
        year=_number((tags.get("Date") or tags.get("UTCDate", "")).split(".")[0], 3000),
        kind=_kind(tags, style),
        tags=tags,
    )


def _kind(tags: Mapping[str, str], style: Style | None) -> Kind:
    """Who played, as far as a game tells: Lichess's puzzles have a tag PuzzleId."""
    if "PuzzleId" in tags:
        return Kind.puzzle
    by_engine = style is not None and style.by_engine
    return (
        Kind.engine
        if by_engine or "program" in (tags.get("WhiteType"), tags.get("BlackType"))
        else Kind.human
    )


def _result(game: GameText) -> float | None:
    """The first player's points by the tag, or by the end of the moves where the tag does not say."""
    told = game.tags.get("Result", "*")
    return POINTS.get(told if told in POINTS else game.movetext.rsplit(None, 1)[-1])


def _number(text: str | None, most: int) -> int:
    """A number of a tag, 0 where there is none or nonsense."""
    return int(text) if text and text.isascii() and text.isdecimal() and int(text) <= most else 0
