"""PGN: every tag of a game, then its moves as records of its game have them (SAN, ICCS), with evaluations and
clocks as Lichess writes them.

An evaluation stands behind the move that leads to its position, that of the first position before all moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import compress, pairwise, repeat
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroply.artefacts import new_file
from zeroply.corpus.exports.blocks import Block, blocks, count_moves
from zeroply.corpus.exports.comments import comments
from zeroply.corpus.score import Kind
from zeroply.corpus.store import Corpus
from zeroply.errors import needs
from zeroply.games.record import quoted

RESULTS = ("0-1", "1/2-1/2", "1-0", "*")
"""By half points; the last for unknown."""
TAG_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+#=:-]*")
"""What PGN can name; columns of tables may be called otherwise."""
WIDTH = 79
"""Characters of a line of moves."""


def write(corpus: Corpus, games: NDArray[np.int64], out: Path) -> str:
    unnamed, chosen = set[str](), np.zeros(len(corpus), np.bool_)
    chosen[games] = True
    tags = compress(_tags(corpus), chosen)
    with new_file(out) as path, path.open("w", encoding="utf-8", newline="\n") as file:
        for block in blocks(corpus, games):
            for number, start, words in _games(block):
                found = next(tags)
                unnamed |= {name for name in found if not TAG_NAME.fullmatch(name)}
                header = _header(corpus, number, found, start)
                file.writelines(f'[{name} "{quoted(value)}"]\n' for name, value in header.items())
                file.write("\n" + _lines([*words, header["Result"]]) + "\n\n")
    left_out = f"; PGN cannot name the tags {', '.join(sorted(unnamed))}: left out" if unnamed else ""
    return f"{out}: {count_moves(corpus, games)}{left_out}"


def _tags(corpus: Corpus) -> Iterator[Mapping[str, str]]:
    """The tags of each game, read a few thousand games at a time."""
    path = corpus.path / "tags.parquet"
    if not path.exists():
        yield from repeat({}, len(corpus))
        return
    with needs("data", "a corpus with tags"):
        import pyarrow.parquet as pq

    with corpus.reading_tags(), pq.ParquetFile(path) as table:
        for batch in table.iter_batches(batch_size=4096):
            for row in batch.to_pylist():
                yield {name: value for name, value in row.items() if value is not None}


def _header(corpus: Corpus, number: int, found: Mapping[str, str], start: str | None) -> dict[str, str]:
    """All tags in their order, among them those that the corpus keeps as arrays."""
    game = corpus.game
    tags = {name: value for name, value in found.items() if TAG_NAME.fullmatch(name)}
    tags.update(game.record_tags)
    for name in ("FEN", "SetUp"):
        tags.pop(name, None)  # what the arrays say counts: a FEN would put the moves on another board
    tags["Result"] = RESULTS[corpus.results[number]]
    for side, rating in zip(game.sides, corpus.ratings[number].tolist(), strict=True):
        if rating:
            tags[f"{side}Elo"] = str(rating)
    if not tags.keys() & {"Date", "UTCDate"} and (year := corpus.years[number]):
        tags["Date"] = f"{year:04}.??.??"
    if start is not None:
        tags |= {"FEN": start, "SetUp": "1"}
    kind = corpus.kinds[number]
    if kind == Kind.label:
        tags["Past"] = str(corpus.past[number])
    types = [f"{side}Type" for side in game.sides]
    if kind == Kind.engine and "program" not in map(tags.get, types):
        tags |= dict.fromkeys(types, "program")
    if kind == Kind.puzzle:
        tags.setdefault("PuzzleId", "?")
    roster = [*game.record_tags, "Event", "Site", "Date", "Round", *game.sides, "Result"]
    ordered = [name for name in roster if name in tags] + sorted(tags.keys() - set(roster))
    return {name: tags[name] for name in ordered}


def _games(block: Block) -> Iterator[tuple[int, str | None, list[str]]]:
    """Each game's number, its FEN if it has its own start, and its words: move numbers, moves, comments."""
    rows, state, game = block.rows, block.rows.state, block.corpus.game
    firsts = np.flatnonzero(np.diff(rows.game, prepend=-1))
    own = block.corpus.starts[block.games] >= 0
    starts = iter(game.fens({name: column[firsts[own]] for name, column in state.items()}))
    texts = game.recorded(state, rows.moves)
    turns, plies = state["turn"].tolist(), state["ply"].tolist()
    before, after = comments(block)
    for number, has_start, (first, last) in zip(
        block.games.tolist(), own.tolist(), pairwise([*firsts.tolist(), len(rows)]), strict=True
    ):
        words = [before[first]] if before[first] else []
        told = True  # a number stands before Black's move too where none or a comment came before it
        for at in range(first, last):
            if turns[at] == 0 or told:
                words.append(f"{plies[at] // 2 + 1}{'...' if turns[at] else '.'}")
            words.append(texts[at])
            told = bool(after[at])
            if told:
                words.append(after[at])
        yield number, next(starts) if has_start else None, words


def _lines(words: Iterable[str]) -> str:
    """As many words a line as fit. A comment is one word: no line shall begin with its bracket."""
    lines, line = list[str](), ""
    for word in words:
        if line and len(line) + len(word) >= WIDTH:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])
