"""Ratings that people ask for: played like, or refused."""

from __future__ import annotations

import pytest

from tests.shipped import HIGHEST, KNOWS, LOWEST
from zeroply.apps.settings import options_of
from zeroply.errors import ZeroplyError
from zeroply.players.load import load_network
from zeroply.players.onnx import OnnxNetwork
from zeroply.players.ratings import asked


def test_a_rating_that_a_net_knows_is_taken_and_others_are_refused() -> None:
    chess, xiangqi = load_network("chess"), load_network("xiangqi")
    for rating in (None, 0, LOWEST, 2500, HIGHEST):
        assert asked(chess, rating, "") == rating
    for rating in (-1, 1, LOWEST - 1, HIGHEST + 1):
        with pytest.raises(ZeroplyError, match=f"^--elo {rating} will not do: {KNOWS}$"):
            asked(chess, rating, f"--elo {rating}")
    assert asked(xiangqi, 0, "") == 0
    with pytest.raises(
        ZeroplyError, match=r"^rating=2500 will not do: this model has not learnt from ratings"
    ):
        asked(xiangqi, 2500, "rating=2500")


def test_a_net_knows_the_people_it_learnt_from() -> None:
    net = load_network("chess")
    assert isinstance(net, OnnxNetwork)
    net.about = {**net.about, "training": {**net.about["training"], "people": [800, 2200]}}
    assert asked(net, 800, "") == 800
    with pytest.raises(ZeroplyError, match=r"^--elo 2300 will not do: .* players from 800 to 2200$"):
        asked(net, 2300, "--elo 2300")
    elo = options_of(net, ())["UCI_Elo"]
    assert (elo.low, elo.default, elo.high) == (800, 1500, 2200)
