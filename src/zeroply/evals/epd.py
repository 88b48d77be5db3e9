"""EPD: a position a line, and what is known of it: `bm`, the best moves, `am`, those to avoid, `id`, points.

    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm e5 c5; id "first moves.1";

A FEN's two numbers may stand before these notes. Moves are written as a game's records have them (SAN, ICCS),
as people do (SAN, WXF) or by their names in the move table (e7e5, h2e2).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zeroply.games import Game, Position
from zeroply.games.notation import fen_of

FIELDS = 4
OPERATION = re.compile(r'\s*(?P<name>\w+)\s*(?P<text>(?:"[^"]*"|[^;"])*)(?:;|$)')
MARKS = "+#!?"
"""What may stand behind a move and says nothing of which it is."""


@dataclass(frozen=True)
class Entry:
    fen: str
    operations: Mapping[str, str]
    """By name, without quotes."""


def parse_entry(line: str) -> Entry:
    words = line.split()
    before = FIELDS + 2 if _are_clocks(words[FIELDS : FIELDS + 2]) else FIELDS
    notes = line.split(None, before)[before:]
    operations = {
        found["name"]: found["text"].strip().strip('"')
        for found in OPERATION.finditer(notes[0] if notes else "")
    }
    return Entry(fen_of(words), operations)


def move_called(game: Game, position: Position, text: str) -> int | None:
    """The legal move that is written so; None where there is none, or several."""
    wanted = text.rstrip(MARKS)
    if wanted in game.moves.numbers:
        number = game.moves.number(wanted)
        return number if number in position.legal() else None
    if wanted.startswith("0-0"):
        wanted = wanted.replace("0", "O")
    found = [
        move
        for move in position.legal().tolist()
        if wanted in {name.rstrip(MARKS) for name in (position.recorded(move), position.notation(move))}
    ]
    return found[0] if len(found) == 1 else None


def _are_clocks(words: Sequence[str]) -> bool:
    return len(words) == 2 and all(word.isdecimal() for word in words)
