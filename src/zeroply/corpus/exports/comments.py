"""Evaluations and clocks of positions as text: what `corpus.readers` take back."""

from __future__ import annotations

import numpy as np

from zeroply.corpus.exports.blocks import Block
from zeroply.corpus.score import MATE, MOST_CENTIPAWNS, NO_CLOCK, NO_EVALUATION


def score(evaluation: int) -> str:
    """Centipawns, or a mate in moves as #3 and #-3; empty for none."""
    if evaluation == NO_EVALUATION:
        return ""
    return str(evaluation) if abs(evaluation) <= MOST_CENTIPAWNS else _mate(evaluation)


def pawns(evaluation: int) -> str:
    """The same with centipawns as pawns, 0.31."""
    if evaluation == NO_EVALUATION:
        return ""
    return f"{evaluation / 100:.2f}" if abs(evaluation) <= MOST_CENTIPAWNS else _mate(evaluation)


def _mate(evaluation: int) -> str:
    return f"#{'-' if evaluation < 0 else ''}{max(0, MATE - abs(evaluation))}"


def clock(tenths: int) -> str:
    """1:23:45, 0:00:09.5; empty for none."""
    if tenths == NO_CLOCK:
        return ""
    seconds, tenth = divmod(tenths, 10)
    text = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{tenth}" if tenth else text


def comments(block: Block) -> tuple[list[str], list[str]]:
    """[P] the comments before and behind each move: { [%eval 0.31] }, { [%eval #-3] [%clk 0:03:00] }.

    Only a game's first move has one before it; behind a move stands the value of the next position."""
    size = len(block.rows)
    if (block.evaluations == NO_EVALUATION).all() and (block.clocks == NO_CLOCK).all():
        return [""] * size, [""] * size
    whites = np.where(block.rows.state["turn"] == 0, 1, -1) * block.evaluations.astype(np.int64)
    texts = map(pawns, np.where(block.evaluations == NO_EVALUATION, NO_EVALUATION, whites).tolist())
    values = [text and f"[%eval {text}]" for text in texts]
    times = [text and f"[%clk {text}]" for text in map(clock, block.clocks.tolist())]
    begins = (block.rows.first == np.arange(size)).tolist()
    before = [_comment(value) if begin else "" for value, begin in zip(values, begins, strict=True)]
    following = ["" if begin else value for value, begin in zip(values, begins, strict=True)][1:]
    return before, [_comment(*told) for told in zip([*following, ""], times, strict=True)]


def _comment(*told: str) -> str:
    text = " ".join(filter(None, told))
    return text and f"{{ {text} }}"
