"""What engines say, as it is understood."""

from __future__ import annotations

import pytest

from zeroply.players.answer import Answer, Line, Listener


def heard(*lines: str) -> Answer:
    listener = Listener()
    for line in lines[:-1]:
        listener.hear(line.split())
    return listener.answer(lines[-1].split())


def test_what_is_said_last_of_each_line_counts() -> None:
    answer = heard(
        "info depth 1 multipv 1 score cp 10 nodes 20 pv e2e4",
        "info depth 1 multipv 2 score cp 5 nodes 20 pv d2d4",
        "info depth 2 currmove e2e4 currmovenumber 1",
        "info depth 2 multipv 1 score mate -3 nodes 90 pv d2d4 d7d5",
        "info depth 1 multipv 2 score cp 4 nodes 90 pv e2e4",
        "info string score cp 99 is not meant",
        "bestmove d2d4 ponder d7d5",
    )
    assert answer == Answer(
        best="d2d4",
        lines=(Line(moves=("d2d4", "d7d5"), mate=-3), Line(moves=("e2e4",), cp=4)),
        depth=2,
        nodes=90,
    )
    assert not answer.over


def test_a_bound_is_no_value_where_there_is_one() -> None:
    answer = heard(
        "info depth 9 multipv 1 score cp 30 nodes 500 pv e2e4",
        "info depth 10 multipv 1 score cp 55 lowerbound nodes 700 pv e2e4",
        "info depth 10 multipv 2 score cp -80 upperbound nodes 700 pv d2d4",
        "info depth 10 multipv 2 score cp -70 upperbound nodes 800 pv d2d4",
        "bestmove e2e4",
    )
    assert answer == Answer(
        best="e2e4",
        lines=(Line(moves=("e2e4",), cp=30), Line(moves=("d2d4",), cp=-70)),
        depth=9,
        nodes=500,
    )
    overtaken = heard(
        "info depth 9 multipv 1 score cp 30 pv e2e4",
        "info depth 9 multipv 2 score cp 20 pv d2d4",
        "info depth 10 multipv 1 score cp 55 lowerbound pv d2d4",
        "info depth 10 multipv 2 score cp 28 pv e2e4",
        "bestmove d2d4",
    )
    assert overtaken.lines == (Line(moves=("d2d4",), cp=20), Line(moves=("e2e4",), cp=28))
    later = heard("info score cp 9 upperbound pv e2e4", "info score cp 3 pv d2d4", "bestmove d2d4")
    assert later.lines == (Line(moves=("d2d4",), cp=3),)


@pytest.mark.parametrize(
    "score", ["score", "score cp", "score cp x", "score mate", "score mate x", "score pv"]
)
def test_what_makes_no_sense_is_left_out(score: str) -> None:
    answer = heard(
        f"info depth 3 {score} pv e2e4", "info depth 3 multipv 2 score cp 3 pv d2d4", "bestmove e2e4"
    )
    assert answer.lines == (Line(moves=("d2d4",), cp=3),)


def test_ucci_writes_centipawns_without_their_name() -> None:
    assert heard("info depth 6 score -14 pv b0c2 b9c7", "bestmove b0c2").lines == (
        Line(moves=("b0c2", "b9c7"), cp=-14),
    )


@pytest.mark.parametrize(
    ("lines", "over"),
    [
        (["info depth 0 score mate 0", "bestmove (none)"], True),
        (["info depth 0 score cp 0", "bestmove (none)"], True),
        (["bestmove (none)"], False),
        (["info depth 5 score cp 3 pv e2e4", "bestmove (none)"], False),
        (["info depth 0 score cp 0", "bestmove e2e4"], False),
        (["nobestmove"], False),
    ],
)
def test_an_engine_says_that_a_game_is_over_by_a_value_without_search(lines: list[str], over: bool) -> None:
    assert heard(*lines).over is over
