"""Many game records as columns: what a reader makes of a piece of a source, and a shard keeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.score import LINES, NO_CLOCK, NO_EVALUATION, UNKNOWN_RESULT, Kind, Score, Skipped


@dataclass(frozen=True, kw_only=True)
class Scores:
    """G games of P plies in all, and the bad ones that were skipped."""

    moves: NDArray[np.uint16]
    """[P], all games end to end."""
    lengths: NDArray[np.int64]
    """[G] plies."""
    results: NDArray[np.uint8]
    """[G] the first player's half points, UNKNOWN_RESULT for none."""
    ratings: NDArray[np.uint16]
    """[G, 2]"""
    years: NDArray[np.uint16]
    kinds: NDArray[np.uint8]
    starts: Mapping[int, str] = field(default_factory=dict)
    """FENs of the games that do not begin with the usual first position."""
    evaluations: NDArray[np.int16] | None = None
    """[P], None where no game has any."""
    lines: NDArray[np.int16] | None = None
    """[P, LINES, 2] moves and what they are worth, NO_EVALUATION for both where there are no more."""
    clocks: NDArray[np.uint32] | None = None
    past: NDArray[np.uint16] | None = None
    """[G] first moves that only led there, None where no game has any."""
    tags: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    """Columns [G] of the other tags, None where a game does not have one."""
    skipped: Sequence[Skipped] = ()

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def items(self) -> int:
        """Games in the source, good and bad."""
        return len(self) + len(self.skipped)

    def __iter__(self) -> Iterator[Score | Skipped]:
        """All items one by one, in their order."""
        bad = {skipped.number: skipped for skipped in self.skipped}
        ends = np.cumsum(self.lengths)
        game = 0
        for number in range(1, self.items + 1):
            if number in bad:
                yield bad[number]
            else:
                yield self._score(game, slice(ends[game] - self.lengths[game], ends[game]))
                game += 1

    def _score(self, game: int, plies: slice) -> Score:
        result = int(self.results[game])
        return Score(
            moves=self.moves[plies],
            start=self.starts.get(game),
            result=None if result == UNKNOWN_RESULT else result / 2,
            evaluations=_told(self.evaluations, plies, NO_EVALUATION),
            lines=_pairs(self.lines, plies),
            clocks=_told(self.clocks, plies, NO_CLOCK),
            ratings=(int(self.ratings[game, 0]), int(self.ratings[game, 1])),
            year=int(self.years[game]),
            kind=Kind(int(self.kinds[game])),
            past=0 if self.past is None else int(self.past[game]),
            tags={name: value for name, column in self.tags.items() if (value := column[game]) is not None},
        )


def _told(values: NDArray[Any] | None, plies: slice, absent: int) -> Any:
    """Those of one game, if there are any."""
    return values[plies] if values is not None and (values[plies] != absent).any() else ()


def _pairs(lines: NDArray[np.int16] | None, plies: slice) -> list[list[tuple[int, int]]]:
    """The lines of one game, if there are any."""
    told = _told(lines, plies, NO_EVALUATION)
    return [[(move, value) for move, value in found if move >= 0] for found in np.asarray(told).tolist()]


def gather(items: Iterable[Score | Skipped]) -> Scores:
    """Records that were made one by one."""
    scores, skipped = list[Score](), list[Skipped]()
    for item in items:
        if isinstance(item, Skipped):
            skipped.append(item)
        else:
            scores.append(item)
    lengths = np.array([len(score.moves) for score in scores], np.int64)
    names = sorted(set[str]().union(*(score.tags for score in scores)))
    return Scores(
        moves=joined([score.moves for score in scores], np.uint16),
        lengths=lengths,
        results=np.array([_half_points(score) for score in scores], np.uint8),
        ratings=np.array([score.ratings for score in scores], np.uint16).reshape(-1, 2),
        years=np.array([score.year for score in scores], np.uint16),
        kinds=np.array([score.kind for score in scores], np.uint8),
        starts={number: score.start for number, score in enumerate(scores) if score.start is not None},
        evaluations=by_ply([score.evaluations for score in scores], lengths, NO_EVALUATION, np.int16),
        lines=_lines_by_ply(scores, lengths),
        clocks=by_ply([score.clocks for score in scores], lengths, NO_CLOCK, np.uint32),
        past=np.array([score.past for score in scores], np.uint16)
        if any(score.past for score in scores)
        else None,
        tags={name: [score.tags.get(name) for score in scores] for name in names},
        skipped=skipped,
    )


def together(parts: Sequence[Scores]) -> Scores:
    """Scores of one piece, made in several steps."""
    lengths = np.concatenate([part.lengths for part in parts])
    before = np.cumsum([0, *map(len, parts)]).tolist()
    names = sorted(set[str]().union(*(part.tags for part in parts)))
    return Scores(
        moves=np.concatenate([part.moves for part in parts]),
        lengths=lengths,
        results=np.concatenate([part.results for part in parts]),
        ratings=np.concatenate([part.ratings for part in parts]),
        years=np.concatenate([part.years for part in parts]),
        kinds=np.concatenate([part.kinds for part in parts]),
        starts={
            first + at: fen
            for first, part in zip(before, parts, strict=False)
            for at, fen in part.starts.items()
        },
        evaluations=_plies(parts, [part.evaluations for part in parts], NO_EVALUATION, np.int16),
        lines=_plies(parts, [part.lines for part in parts], NO_EVALUATION, np.int16, LINES, 2),
        clocks=_plies(parts, [part.clocks for part in parts], NO_CLOCK, np.uint32),
        past=_pasts(parts),
        tags={
            name: list(chain.from_iterable(part.tags.get(name, [None] * len(part)) for part in parts))
            for name in names
        },
        skipped=[skipped for part in parts for skipped in part.skipped],
    )


def _pasts(parts: Sequence[Scores]) -> NDArray[np.uint16] | None:
    if all(part.past is None for part in parts):
        return None
    return np.concatenate(
        [np.zeros(len(part), np.uint16) if part.past is None else part.past for part in parts]
    )


def _plies(
    parts: Sequence[Scores],
    told: Sequence[NDArray[Any] | None],
    absent: int,
    dtype: type[np.generic],
    *shape: int,
) -> NDArray[Any] | None:
    """[P, …shape]"""
    if all(own is None for own in told):
        return None
    blanks = (np.full((len(part.moves), *shape), absent, dtype) for part in parts)
    return np.concatenate([blank if own is None else own for own, blank in zip(told, blanks, strict=True)])


def joined(parts: Sequence[Any], dtype: type[np.generic]) -> NDArray[Any]:
    return np.concatenate([np.empty(0, dtype), *(np.asarray(part, dtype) for part in parts)])


def by_ply(
    told: Sequence[Any], lengths: NDArray[np.int64], absent: int, dtype: type[np.generic]
) -> NDArray[Any] | None:
    """[P] what all games tell of their moves, end to end; a game that tells nothing has `absent` throughout.
    None if that is so of all."""
    if not any(map(len, told)):
        return None
    blank = np.full(int(lengths.max(initial=0)), absent, dtype)
    parts = [own if len(own) else blank[:length] for own, length in zip(told, lengths.tolist(), strict=True)]
    return joined(parts, dtype)


def _lines_by_ply(scores: Sequence[Score], lengths: NDArray[np.int64]) -> NDArray[np.int16] | None:
    if not any(score.lines for score in scores):
        return None
    lines = np.full((int(lengths.sum()), LINES, 2), NO_EVALUATION, np.int16)
    for score, begin in zip(scores, np.cumsum(lengths) - lengths, strict=True):
        for ply, found in enumerate(score.lines):
            if found:
                lines[begin + ply, : len(found)] = found[:LINES]
    return lines


def _half_points(score: Score) -> int:
    return UNKNOWN_RESULT if score.result is None else round(2 * score.result)
