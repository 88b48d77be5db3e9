"""What a reader is: it cuts a source into pieces, and parses a piece apart from all others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from zeroply.corpus.readers.pieces import Piece
from zeroply.corpus.score import Score, Skipped
from zeroply.corpus.scores import Scores
from zeroply.games import Game


@dataclass(frozen=True)
class Reader:
    """Two functions. Games are numbered within their piece: only who has all pieces knows how many came
    before."""

    pieces: Callable[[Path], Iterator[Piece]]
    """Cheap, since one process does it for all workers. A source that breaks off gives its pieces up to
    there and then a ReadError."""
    parse: Callable[[Piece, Game], Scores]
    breaks_off: Callable[[Piece], str | None] = lambda last: None
    """How a source that was read to its end shows by its last piece that more should follow."""
    only: str | None = None
    """The one game whose sources these are; None if any game has such."""

    def read(self, source: Path, game: Game) -> Iterator[Score | Skipped]:
        """The games of a source one by one, numbered through."""
        before = dict[str, int]()
        for piece in self.pieces(source):
            scores, name = self.parse(piece, game), piece.path.name
            earlier = before.get(name, 0)
            before[name] = earlier + scores.items
            for item in scores:
                yield replace(item, number=earlier + item.number) if isinstance(item, Skipped) else item
