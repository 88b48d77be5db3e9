"""PGN: every tag of a game, then its moves in SAN. Evaluations are not written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import repeat
from pathlib import Path
from textwrap import wrap

from zeroply.artefacts import new_file
from zeroply.corpus.store import Corpus, unpack_positions
from zeroply.errors import needs
from zeroply.games import Position

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""They come first, in this order; the others by name."""
RESULTS = ("0-1", "1/2-1/2", "1-0", "*")
"""By half points; the last for unknown."""
TAG_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+#=:-]*")
"""What PGN can name; columns of tables may be called otherwise."""


def write(corpus: Corpus, out: Path) -> str:
    unnamed = set[str]()
    with new_file(out) as path, path.open("w", encoding="utf-8", newline="\n") as file:
        for number, found in enumerate(_tags(corpus)):
            unnamed |= {name for name in found if not TAG_NAME.fullmatch(name)}
            start = _start(corpus, number)
            tags = _header(corpus, number, found, start)
            moves = corpus.moves[corpus.offsets[number] : corpus.offsets[number + 1]].tolist()
            file.writelines(f'[{name} "{value}"]\n' for name, value in tags.items())
            file.write(f"\n{_movetext(start or corpus.game.start(), moves, tags['Result'])}\n\n")
    left_out = f"; PGN cannot name the tags {', '.join(sorted(unnamed))}: left out" if unnamed else ""
    return f"{out}: {len(corpus):,} games, {len(corpus.moves):,} moves{left_out}"


def _tags(corpus: Corpus) -> Iterator[Mapping[str, str]]:
    """The tags of each game, read a few thousand games at a time."""
    path = corpus.path / "tags.parquet"
    if not path.exists():
        yield from repeat({}, len(corpus))
        return
    with needs("data", "a corpus with tags"):
        import pyarrow.parquet as pq

    with pq.ParquetFile(path) as table:
        for batch in table.iter_batches(batch_size=4096):
            for row in batch.to_pylist():
                yield {name: value for name, value in row.items() if value is not None}


def _start(corpus: Corpus, number: int) -> Position | None:
    """The game's own first position; None for the usual one."""
    at = corpus.starts[number]
    if at < 0:
        return None
    return corpus.game.restore(unpack_positions(corpus.game, corpus.positions[at : at + 1]))


def _header(corpus: Corpus, number: int, found: Mapping[str, str], start: Position | None) -> dict[str, str]:
    """All tags in their order, among them those that the corpus keeps as arrays."""
    tags = {name: value for name, value in found.items() if TAG_NAME.fullmatch(name)}
    for name in ("FEN", "SetUp"):
        tags.pop(name, None)  # what the arrays say counts: a FEN would put the moves on another board
    tags["Result"] = RESULTS[corpus.results[number]]
    for name, rating in zip(("WhiteElo", "BlackElo"), corpus.ratings[number].tolist(), strict=True):
        if rating:
            tags[name] = str(rating)
    if not tags.keys() & {"Date", "UTCDate"} and (year := corpus.array("years")[number]):
        tags["Date"] = f"{year:04}.??.??"
    if start is not None:
        tags |= {"FEN": start.fen(), "SetUp": "1"}
    ordered = [name for name in ROSTER if name in tags] + sorted(tags.keys() - set(ROSTER))
    # Values stay as the reader found them, escapes and all; only line ends would break a tag.
    return {name: re.sub(r"[\r\n]+", " ", tags[name]) for name in ordered}


def _movetext(position: Position, moves: list[int], result: str) -> str:
    words = list[str]()
    for move in moves:
        if position.turn == 0:
            words.append(f"{position.ply // 2 + 1}.")
        elif not words:
            words.append(f"{position.ply // 2 + 1}...")
        words.append(position.notation(move))
        position = position.play(move)
    return "\n".join(wrap(" ".join([*words, result]), 79, break_long_words=False, break_on_hyphens=False))
