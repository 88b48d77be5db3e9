"""Moves by their names from sources that may be wrong: they come back as move numbers or as a reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from zeroply.corpus.readers.batches import batched
from zeroply.corpus.readers.pgn.legality import judged
from zeroply.corpus.readers.pgn.lines import Line
from zeroply.corpus.score import Score, Skipped
from zeroply.games import Game


@dataclass(frozen=True, slots=True)
class Claim:
    """A game whose moves are yet to be checked."""

    number: int
    moves: Sequence[str]
    """By their names in the move table."""
    score: Score
    """All but the moves."""


def checked(claims: Iterable[Claim | Skipped], game: Game, source: str) -> Iterator[Score | Skipped]:
    """The scores whose moves are legal, in their order; the others with the reason."""
    for batch in batched(
        claims, size=lambda claim: 0 if isinstance(claim, Skipped) else 8 * len(claim.moves)
    ):
        open_claims = [claim for claim in batch if not isinstance(claim, Skipped)]
        lines = iter(
            judged(
                game,
                [named_line(claim.moves, game) for claim in open_claims],
                [claim.score.start for claim in open_claims],
            )
        )
        for claim in batch:
            if isinstance(claim, Skipped):
                yield claim
                continue
            line = next(lines)
            yield (
                Skipped(source, claim.number, line)
                if isinstance(line, str)
                else replace(claim.score, moves=line.moves)
            )


def named_line(moves: Sequence[str], game: Game) -> Line | str:
    """Moves by their names in the table as a line that is yet to be judged, or what is wrong with them."""
    if not moves:
        return "it has no moves"
    try:
        return Line(np.array([game.moves.numbers[move] for move in moves], np.uint16))
    except KeyError as unknown:
        return f"'{unknown.args[0]}' is no move"
