"""Games that have nothing but tags and bare moves, as most have, many at once: a long text is searched, cut
and replaced in far less time than its games one by one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import count

import numpy as np

from zeroply.corpus.readers.pgn.headers import Columns
from zeroply.corpus.readers.pgn.texts import LONGEST, RESULTS, Games, empty

TAG_NAME = re.compile(r"\]\n\[([A-Za-z0-9][A-Za-z0-9_+#=:-]*) ")
ODD = ("{", "(", ";", "%", "[", "\0")
"""Found only in movetext that needs a closer look."""


def plain_games(text: str) -> Games | None:
    """What `split` makes of a text, if it has only plain games: tags and moves by turns; else None."""
    blocks = text.rstrip("\n").split("\n\n")
    if len(blocks) % 2:
        return None
    movetexts = _plain_moves([block.strip() for block in blocks[1::2]])
    tags = None if movetexts is None else _plain_tags([block.lstrip("\n") for block in blocks[0::2]])
    if movetexts is None or tags is None:
        return None
    return Games(tags, movetexts, {at: flaw for at, text in enumerate(movetexts) if (flaw := empty(text))})


def _plain_moves(movetexts: Sequence[str]) -> list[str] | None:
    """Each without line ends, if each has exactly one result, at its end."""
    text = "\n".join(movetexts)
    if len(text) > LONGEST or any(map(text.__contains__, ODD)):
        return None
    if not all(movetext.endswith(RESULTS) for movetext in movetexts):
        return None
    letters = np.frombuffer(text.encode(), np.uint8)  # counted far sooner than in a str
    hyphens, stars, castling = letters == ord("-"), letters == ord("*"), letters[:-1] == ord("O")
    # Results have one hyphen or star; castling has the only hyphens besides, each after a letter O.
    if np.count_nonzero(hyphens | stars) - np.count_nonzero(hyphens[1:] & castling) != len(movetexts):
        return None
    return "\0".join(movetexts).replace("\n", " ").split("\0")


def _plain_tags(headers: Sequence[str]) -> Columns | None:
    """The columns of all tags, if each line is a clean tag and all games begin with the same one."""
    text = "]\n" + "\n".join(headers)
    between, values = (parts := text.split('"'))[0::2], parts[1::2]
    # A line end before each tag and none elsewhere: so each line has two quotes, and ends with the second.
    if "\\" in text or between.pop() != "]" or not len(between) == len(values) == text.count("\n"):
        return None
    numbers = defaultdict[str, int](count().__next__)
    columns = np.fromiter(map(numbers.__getitem__, between), np.intp, len(between))
    names = [match[1] for match in map(TAG_NAME.fullmatch, numbers) if match]
    begins = columns == 0
    if (
        len(names) != len(numbers)
        or begins.sum() != len(headers)
        or not all(header.startswith(f"[{names[0]} ") for header in headers)
    ):
        return None
    table = np.full((len(names), len(headers)), None, np.object_)
    table[columns, np.cumsum(begins) - 1] = np.array(values, np.object_)
    return dict(zip(names, table.tolist(), strict=True))
