"""Movetext to move numbers: of xiangqi by its own parser, of chess by one in Rust where it is installed, else
by python-chess.

The two for chess accept the same games with the same moves: whatever the fast parser refuses, python-chess
decides, and that gives the reason too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from zeroply.corpus.readers.arrays import move_numbers
from zeroply.corpus.readers.pgn.letters import has_other_letters, in_other_letters
from zeroply.corpus.readers.pgn.lines import Line, Lines, Movetext, Parse, collected
from zeroply.games import Game

EARLY_VARIATION = re.compile(r"(?:\{[^}]*\}|[^A-Za-z{(])*\(")
"""A variation before the first move: python-chess takes it for the main line, the fast parser does not."""
STRAY_BRACKET = re.compile(r"[^\[{]*+(?:\{[^}]*+\}?[^\[{]*+)*+\[")
"""A bracket outside comments: the fast parser takes it for the next game's tags and says nothing."""
SUSPICIOUS = ("(", "[", "0000")
"""Texts without these, from the usual first position, need no closer look."""
NOTHING = '[W ""]\n\n'


def parser(game: Game) -> Parse:
    """The fastest parser of a game that is installed."""
    if game.name == "xiangqi":
        from zeroply.corpus.readers.pgn.iccs import IccsParser  # chess needs nothing of it

        return IccsParser(game)
    try:
        import rust_pgn_reader_python_binding as rust
    except ModuleNotFoundError:
        return by_python_chess(game)
    return FastParser(game, rust)


def by_python_chess(game: Game) -> Parse:
    from zeroply.corpus.readers.pgn.slow import PythonChessParser  # takes longer to import than most files

    return PythonChessParser(game)


class FastParser:
    """Thousands of games in a call of `rust-pgn-reader-python-binding`; python-chess for what it refuses."""

    def __init__(self, game: Game, rust: ModuleType) -> None:
        self._game, self._numbers, self._rust = game, move_numbers(game), rust

    def __call__(self, texts: Sequence[Movetext]) -> Lines:
        parsed = self._rust.parse_games_from_strings(
            _as_pgns(texts),
            num_threads=1,
            store_comments=any(text.commented for text in texts),
        )
        chunks = [self._lines(chunk) for chunk in parsed.chunks]
        lengths = np.concatenate([np.empty(0, np.int64), *(chunk.lengths for chunk in chunks)])
        if lengths.all():
            return Lines(
                moves=np.concatenate([np.empty(0, np.uint16), *(chunk.moves for chunk in chunks)]),
                lengths=lengths,
                comments=[comment for chunk in chunks for comment in chunk.comments],
            )
        return self._judged(texts, [line for chunk in chunks for line in chunk if not isinstance(line, str)])

    def _judged(self, texts: Sequence[Movetext], lines: Sequence[Line]) -> Lines:
        """With python-chess's word on every text that has no line."""
        slow = by_python_chess(self._game)
        return collected(
            [
                line if len(line.moves) else next(iter(slow([text])))
                for text, line in zip(texts, lines, strict=True)
            ]
        )

    def _lines(self, chunk: Any) -> Lines:
        """Length 0 is for what was refused."""
        packed = chunk.from_squares.astype(np.uint16)
        packed |= chunk.to_squares.astype(np.uint16) << 6
        packed |= np.maximum(chunk.promotions - 1, 0).astype(np.uint16) << 12  # theirs: -1 none, 2 N … 5 Q
        numbers = self._numbers[packed]
        offsets = chunk.move_offsets.astype(np.int64)
        lengths = np.diff(offsets)
        good = chunk.valid & (lengths > 0)
        if (numbers < 0).any():
            unknown = np.concatenate([[0], np.cumsum(numbers < 0)])
            good &= unknown[offsets[:-1]] == unknown[offsets[1:]]
        moves, comments = numbers.astype(np.uint16), chunk.comments
        if not good.all():
            kept = np.repeat(good, lengths)
            moves, comments = moves[kept], [comments[at] for at in np.flatnonzero(kept)] if comments else ()
        return Lines(moves=moves, lengths=np.where(good, lengths, 0), comments=comments)


def _as_pgns(texts: Sequence[Movetext]) -> list[str]:
    """What the fast parser gets."""
    together = "\n".join(text.text for text in texts)
    if (
        any(map(together.__contains__, SUSPICIOUS))
        or any(text.start is not None for text in texts)
        or has_other_letters(together)
    ):
        return [_as_pgn(text) for text in texts]
    return [NOTHING + text.text for text in texts]


def _as_pgn(text: Movetext) -> str:
    """A tag always stands there: a text with nothing is left out of its answer."""
    if _is_odd(text):
        return NOTHING
    return f'[FEN "{text.start}"]\n\n{text.text}\n' if text.start is not None else NOTHING + text.text


def _is_odd(text: Movetext) -> bool:
    """Texts that the two parsers would read differently."""
    return bool(
        ("(" in text.text and EARLY_VARIATION.match(text.text))
        or ("[" in text.text and (";" in text.text or STRAY_BRACKET.match(text.text)))
        or "0000" in text.text  # a null move, which the fast parser takes for a move number
        or in_other_letters(text.text)
        or (text.start is not None and not _is_clean(text.start))  # others it reads otherwise
    )


def _is_clean(fen: str) -> bool:
    from zeroply.games.chess.fens import CLEAN  # with tables that games from the first position do not need

    return CLEAN.fullmatch(fen) is not None
