"""One game as text for people, from a source or from a corpus."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np

from zeroply.corpus.readers import read, readable_as
from zeroply.corpus.replay import replay_games
from zeroply.corpus.score import UNKNOWN_RESULT, Score, Skipped
from zeroply.corpus.store import Corpus
from zeroply.errors import IllegalMoveError, ZeroplyError
from zeroply.games import Game, Position
from zeroply.games.notation import RESULTS, UNKNOWN


def find_game(source: Path, number: int, game: Game) -> tuple[Score, Position, Game]:
    """A game by its number from 1, its first position, and what game it is of: a corpus knows that itself."""
    if (source / "manifest.json").exists():
        return _of_corpus(Corpus.open(source), number)
    found = next(islice(read(source, game), number - 1, None), None)
    if found is None:
        raise ZeroplyError(f"{source} has fewer than {number:,} games")
    if isinstance(found, Skipped):
        other = "" if "--game" in found.reason else readable_as(source, besides=game)
        raise ZeroplyError(f"{found}{other and '.'}{other}")
    return found, game.start(found.start), game


def _of_corpus(corpus: Corpus, number: int) -> tuple[Score, Position, Game]:
    if number > len(corpus):
        raise ZeroplyError(f"{corpus.path} has {len(corpus):,} games, no game {number:,}")
    at = number - 1
    first = replay_games(corpus, np.array([at]), np.empty(0)).take(np.array([0]), 0)
    tags = corpus.tags().slice(at, 1).to_pylist()
    result = int(corpus.results[at])
    score = Score(
        moves=np.asarray(corpus.moves[corpus.offsets[at] : corpus.offsets[at + 1]]),
        result=None if result == UNKNOWN_RESULT else result / 2,
        ratings=(int(corpus.ratings[at, 0]), int(corpus.ratings[at, 1])),
        tags={name: value for row in tags for name, value in row.items() if value is not None},
    )
    start = corpus.game.restore(first)
    _check(corpus, number, start, score)
    return score, start, corpus.game


def _check(corpus: Corpus, number: int, position: Position, score: Score) -> None:
    try:
        for move in score.moves:
            position = position.play(int(move))
    except IllegalMoveError as error:
        raise corpus.damaged(f"game {number:,}: {error}") from None


def describe(score: Score, start: Position, game: Game) -> str:
    """Players, result, number of plies, the first ten as records have them, the last board."""
    position, notation = start, list[str]()
    for move in score.moves:
        if len(notation) < 10:
            notation.append(position.recorded(int(move)))
        position = position.play(int(move))
    players = [
        score.tags.get(tag, "?") + (f" ({rating})" if rating else "")
        for tag, rating in zip(game.sides, score.ratings, strict=True)
    ]
    result = UNKNOWN if score.result is None else RESULTS[score.result]
    return "\n".join(
        [
            f"{players[0]} – {players[1]}",
            f"result {result}, {len(score.moves)} plies",
            " ".join(notation) + (" …" if len(score.moves) > 10 else ""),
            position.diagram(),
            position.fen(),
        ]
    )
