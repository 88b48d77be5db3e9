"""Movetext of xiangqi to move numbers.

Records write H2-E2 (ICCS); lower case, no hyphen and glued move numbers are read as well, always with ranks 0
to 9. Moves in WXF or Chinese are read too, but slowly, since only the position tells what they mean.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zeroply.corpus.readers.pgn.legality import judged
from zeroply.corpus.readers.pgn.lines import Line, Lines, Movetext, collected
from zeroply.corpus.readers.pgn.texts import RESULTS
from zeroply.corpus.readers.pgn.words import words_of
from zeroply.errors import IllegalMoveError, PositionError, ReadError
from zeroply.games import Game
from zeroply.games.xiangqi.notation import from_text, to_iccs

NUMBER = -1
"""Stands for a move number among the words."""
MOST_NUMBERS = 1000


class IccsParser:
    """Moves by a dictionary, legality for all games at once. What is not spelled as in the dictionary is read
    with more care."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._moves = {
            spelling: number
            for number, name in enumerate(game.moves.names)
            for spelling in (to_iccs(name), to_iccs(name).lower(), name, name.upper())
        }
        self._words = self._moves | {f"{number}.": NUMBER for number in range(MOST_NUMBERS)}

    def __call__(self, texts: Sequence[Movetext]) -> Lines:
        commented = any(text.commented for text in texts)
        lines = [self._line(text, commented) for text in texts]
        return collected(judged(self._game, lines, [text.start for text in texts]))

    def _line(self, text: Movetext, commented: bool) -> Line | str:
        *words, last = text.text.split() or [""]
        if last not in RESULTS:
            words.append(last)
        try:
            numbers = np.array([self._words[word] for word in words], np.int16)
        except KeyError:
            return self._careful_line(text, commented)
        moves = numbers[numbers != NUMBER].astype(np.uint16)
        if not len(moves):
            return "it has no moves"
        return Line(moves, [None] * len(moves) if commented else ())

    def _careful_line(self, text: Movetext, commented: bool) -> Line | str:
        try:
            words = words_of(text.text)
            moves = np.array(self._numbers(words.moves, text.start), np.uint16)
        except (IllegalMoveError, PositionError, ReadError) as error:
            return str(error)
        return Line(moves, words.comments if commented else ())

    def _numbers(self, words: Sequence[str], start: str | None) -> list[int]:
        if all(word in self._moves for word in words):
            return [self._moves[word] for word in words]
        numbers, position, table = list[int](), self._game.start(start), self._game.moves
        for ply, word in enumerate(words, 1):
            steps = {(int(table.start[move]), int(table.end[move])): int(move) for move in position.legal()}
            number = self._moves.get(word, self._moves.get(word.upper()))
            try:
                if number is None:
                    number = steps[from_text(position.row(0)["board"][0].tolist(), steps, word)]
                position = position.play(number)
            except IllegalMoveError:
                raise IllegalMoveError(f"ply {ply}: '{word}' is not legal in {position.fen()}") from None
            numbers.append(number)
        return numbers
