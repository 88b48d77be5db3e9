"""An engine's look at some positions as rows of seed 003's table: what `zeroply data build` reads.

    fen     the position; after it, where they are known, the moves that led to the one that was judged:
            `FEN moves e2e4 e7e5`
    line    the line of play, moves by their names in the move table
    depth   of the best line
    knodes  thousands of positions that were looked at
    cp      what the line is worth as the first player sees it, in centipawns; or
    mate    moves to the mate, less than 0 where the second player gives it

Rows of one position follow each other, the best line first.
"""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any

from zeroply.corpus.ledger import Part
from zeroply.errors import EngineError, IllegalMoveError, ZeroplyError
from zeroply.games import Game, game_named
from zeroply.games.notation import led_to
from zeroply.players.answer import Answer
from zeroply.players.conversation import HOPELESS, PATIENCE, Conversation
from zeroply.players.dialects import UCI, Dialect, language_of, moves_among
from zeroply.players.program import Limits, Program, program_of, words_of

COLUMNS = ("fen", "line", "depth", "knodes", "cp", "mate")
SMALL_SEARCH = 100_000
"""Nodes for which a megabyte of hash is enough. It is emptied before every position, and emptying the 16 that
are usual takes longer than a search of a thousand nodes."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is asked of which engine, and how long one waits for it."""

    engine: str
    """As on a command line: a program, arguments, options; before it `ucci:` where it speaks that."""
    game: str = "chess"
    nodes: int | None = None
    depth: int | None = None
    multipv: int = 1
    """How many lines."""
    patience: float = PATIENCE

    def plan(self) -> dict[str, Any]:
        """All that answers depend on: how long somebody waits for them is no part of it."""
        return {name: value for name, value in asdict(self).items() if name != "patience"}

    def program(self) -> tuple[Dialect, Program]:
        words = words_of(self.engine)
        dialect, name = language_of(words[0]) if words else (None, "")
        if not name:
            raise ZeroplyError("no engine is named. Give one: --engine stockfish")
        program = program_of([name, *words[1:]], self.engine)
        told = {"nodes": self.nodes, "depth": self.depth}
        limits = replace(program.limits, **{name: value for name, value in told.items() if value is not None})
        if limits == Limits():
            raise ZeroplyError("an engine thinks as long as it may: say --nodes or --depth")
        return dialect or UCI, replace(program, limits=limits)


@dataclass(frozen=True)
class Positions:
    """One job: some FENs, each perhaps with the moves that led on from it."""

    asked: Asked
    fens: Sequence[str]


@cache
def engine_for(asked: Asked) -> Conversation:
    """The engine of this process."""
    dialect, program = asked.program()
    small = program.limits.nodes is not None and program.limits.nodes <= SMALL_SEARCH
    return Conversation(
        program.command,
        game_named(asked.game),
        dialect=dialect,
        name=asked.engine,
        limits=program.limits,
        options=program.options,
        preferred={"Hash": "1"} if small else {},
        multipv=asked.multipv,
        patience=asked.patience,
    )


def label(job: Positions) -> Part:
    """Ask about some positions. Those in which the game is over are left out, and so are those over which the
    engine breaks down; it goes on with the next."""
    engine, game, (dialect, _) = engine_for(job.asked), game_named(job.asked.game), job.asked.program()
    begin, waited = time.monotonic(), engine.waited
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    counts, flaws, failed = dict.fromkeys(("labelled", "over", "failed"), 0), list[str](), 0
    for fen in job.fens:
        start, past = led_to(fen)
        try:
            moves = [game.moves.number(move) for move in past]
        except IllegalMoveError as error:
            flaws.append(f"{fen}: {error}")
            counts["failed"] += 1
            continue
        try:
            answer = engine.ask(start, moves)
            rows = [] if answer.over else list(_rows(fen, answer, game, dialect))
        except EngineError as error:
            flaws.append(f"{fen}: {error}")
            counts["failed"] += 1
            failed += 1
            if failed == HOPELESS:
                raise EngineError(
                    f"engine '{engine.name}' failed in {failed} positions in succession, at last in "
                    f"{flaws[-1]}. Try it by hand, or choose another"
                ) from None
            continue
        failed = 0
        counts["labelled" if rows else "over"] += 1
        table.writerows(rows)
    spent = {"seconds": time.monotonic() - begin, "waited": engine.waited - waited}
    return Part(text=text.getvalue(), counts={**counts, **spent}, flaws=flaws)


def _rows(fen: str, answer: Answer, game: Game, dialect: Dialect) -> Iterator[tuple[str, ...]]:
    start, past = led_to(fen)
    view = -1 if (start.split()[1:2] == ["b"]) != (len(past) % 2 == 1) else 1
    found = False
    for place, line in enumerate(answer.lines):
        # Some engines tell what a position is worth, but not by which moves.
        texts = line.moves or ((answer.best,) if place == 0 else ())
        names = [game.moves.names[move] for move in moves_among(dialect, game, texts)]
        if not names:
            continue
        found = True
        values = ("" if value is None else str(view * value) for value in (line.cp, line.mate))
        yield fen, " ".join(names), str(answer.depth), f"{answer.nodes / 1000:g}", *values
    if not found:
        raise EngineError(f"it told no line of play with its value, only '{answer.best}'")
