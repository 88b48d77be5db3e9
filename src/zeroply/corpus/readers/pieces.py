"""A source cut into pieces, quickly: each of whole games and parsed apart from the others.

So workers can parse pieces of one file at the same time, and a build that was killed knows which it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from zeroply.corpus.readers.files import open_blocks
from zeroply.errors import ReadError

SIZE = 2**23
"""Characters of a piece, about: some ten thousand games."""
LONGEST = 4 * SIZE
"""A text in which no game ends for so long is cut anywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Some games of a file, in the form that its reader parses."""

    path: Path
    text: str = ""
    games: range = range(0)
    """Of a folder of arrays, whose text is nothing."""
    share: float
    """How much of the source had been read when this piece was made."""


def text_pieces(path: Path, cut: Callable[[str], int]) -> Iterator[Piece]:
    """`cut` tells where in a text of whole lines a piece may end at the latest, 0 for nowhere.

    What came before a damaged place is a piece too; then the error follows.
    """
    with open_blocks(path) as blocks:
        gathered, size = list[str](), 0
        try:
            for block in blocks:
                gathered.append(block)
                size += len(block)
                if size < SIZE:
                    continue
                held = "".join(gathered)
                end = cut(held) or (size if size >= LONGEST else 0)
                if end:
                    yield Piece(path=path, text=held[:end], share=blocks.share)
                gathered, size = [held[end:]], size - end
        except ReadError:
            held = "".join(gathered)
            yield Piece(path=path, text=held[: cut(held)], share=1.0)  # what follows may be half a game
            raise
        yield Piece(path=path, text="".join(gathered), share=1.0)


def at_any_line(text: str) -> int:
    """Where lines do not belong together, a piece may end after each."""
    return len(text)
