"""What the mover may expect, from whatever a net tells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.players.nets import MaterialNet
from tests.sources import CHESS
from zeroply.players.expectation import centipawns, expected_points, points_of_centipawns, tells

QUEEN_UP = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {} KQkq - 0 1"


def test_centipawns_follow_the_expected_points() -> None:
    assert centipawns(0.5) == 0
    assert centipawns(0.35) == -centipawns(0.65)
    assert centipawns(0.75) == round(90 * 0.99)
    assert 10_000 < centipawns(1.0) < 20_000


@given(st.integers(-6000, 6000))
def test_centipawns_come_back_from_points(score: int) -> None:
    assert centipawns(float(points_of_centipawns(np.array(score, np.float64)))) == score


@pytest.mark.parametrize("output", ["value", "wdl", "evaluation"])
def test_each_output_tells_who_is_better(output: str) -> None:
    net, points = MaterialNet(output), []
    for turn in "wb":
        found = expected_points(net(CHESS.start(QUEEN_UP.format(turn)).row(0)))
        points.append(float(found[0]))
    assert points[0] > 0.85
    assert sum(points) == pytest.approx(1)


def test_a_result_comes_before_a_value_and_that_before_an_evaluation() -> None:
    out = {"evaluation": np.array([0.1]), "value": np.array([0.3]), "wdl": np.log([[0.25, 0.5, 0.25]])}
    assert expected_points(out)[0] == pytest.approx(0.5)
    del out["wdl"]
    assert expected_points(out)[0] == pytest.approx(0.3)


def test_a_policy_tells_nothing_of_it() -> None:
    assert not tells(MaterialNet("policy").outputs)
    assert tells(MaterialNet("policy", "evaluation").outputs)
