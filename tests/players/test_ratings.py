"""Ratings that people ask for: played like, or refused."""

from __future__ import annotations

import pytest

from zeroply.errors import ZeroplyError
from zeroply.players.load import load_network
from zeroply.players.ratings import HIGHEST, LOWEST, asked


def test_a_rating_that_a_net_knows_is_taken_and_others_are_refused() -> None:
    chess, xiangqi = load_network("chess"), load_network("xiangqi")
    for rating in (None, 0, LOWEST, 2500, HIGHEST):
        assert asked(chess, rating, "") == rating
    for rating in (-1, 1, LOWEST - 1, HIGHEST + 1):
        with pytest.raises(ZeroplyError, match=f"^--elo {rating} will not do: .* from 2300 to 2850$"):
            asked(chess, rating, f"--elo {rating}")
    assert asked(xiangqi, 0, "") == 0
    with pytest.raises(
        ZeroplyError, match=r"^rating=2500 will not do: this model has not learnt from ratings"
    ):
        asked(xiangqi, 2500, "rating=2500")
