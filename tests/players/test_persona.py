"""What a net is told of the players: whom it should play like, or the strongest that it has seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.players.nets import MaterialNet
from tests.sources import CHESS
from zeroply.apps.settings import options, options_of, player
from zeroply.corpus.score import Kind
from zeroply.games import Rows
from zeroply.players import player_of
from zeroply.players.net import STRONGEST
from zeroply.players.spec import mode_of


class Listener(MaterialNet):
    """Remembers what it was last told."""

    def __init__(self, seen: Mapping[str, int], *, is_rated: bool = True) -> None:
        super().__init__("policy", "wdl")
        self.reads = ("board", "turn", "rating", "opponent_rating", "kind")
        self.about = {"training": {"rated": is_rated, "strongest": dict(seen)}}

    def __call__(self, rows: Rows) -> dict[str, NDArray[np.float32]]:
        self.told = {name: rows[name].tolist() for name in ("rating", "opponent_rating", "kind")}
        return super().__call__(rows)


ALL = {"human": 2790, "engine": 3500, "puzzle": 0}


@pytest.mark.parametrize(
    ("seen", "settings", "wanted"),
    [
        (ALL, {}, (3500, Kind.engine)),
        (ALL, {"best": Kind.puzzle}, (0, Kind.puzzle)),
        ({**ALL, "label": 0}, {}, (3500, Kind.engine)),
        ({**ALL, "label": 0}, {"best": Kind.label}, (0, Kind.label)),
        ({"human": 2790, "label": 0}, {}, (0, Kind.label)),
        ({"human": 2790, "label": 0}, {"best": Kind.puzzle}, (0, Kind.label)),
        ({"engine": 0, "human": 2790}, {"best": Kind.puzzle}, (0, Kind.engine)),
        ({"human": 1990}, {}, (1990, Kind.human)),
        ({}, {}, (STRONGEST, Kind.human)),
        (ALL, {"rating": 2300}, (2300, Kind.human)),
        *((ALL, {"rating": rating}, (rating, Kind.human)) for rating in (2799, STRONGEST, 2801)),
        (ALL, {"rating": 2300, "best": Kind.puzzle}, (2300, Kind.human)),
    ],
)
def test_whom_it_plays_like(
    seen: Mapping[str, int], settings: dict[str, Any], wanted: tuple[int, int]
) -> None:
    net = Listener(seen)
    player_of(net, **settings).glance([CHESS.start(), CHESS.start()])
    rating, kind = wanted
    assert net.told == {"rating": [rating] * 2, "opponent_rating": [rating] * 2, "kind": [kind] * 2}


def test_a_net_that_saw_no_ratings_is_told_none_but_may_know_engines() -> None:
    net = Listener({"human": 0, "engine": 0}, is_rated=False)
    player_of(net).glance([CHESS.start()])
    assert net.told == {"rating": [0], "opponent_rating": [0], "kind": [Kind.engine]}
    player_of(net, rating=2400).glance([CHESS.start()])
    assert net.told == {"rating": [0], "opponent_rating": [0], "kind": [Kind.human]}


def test_an_engine_s_options_ask_for_a_person_at_any_rating_and_for_the_best_without_one() -> None:
    net = Listener(ALL)
    values = {name: option.default for name, option in {**options("chess"), **options_of(net, ())}.items()}
    for rating in (2799, STRONGEST, 2801):
        asked = player(net, {**values, "UCI_LimitStrength": True, "UCI_Elo": rating}, 0)
        assert (asked.told["rating"], asked.told["kind"]) == (rating, Kind.human)
        assert mode_of(asked) == "human"
    asked = player(net, {**values, "UCI_Elo": STRONGEST}, 0)
    assert (asked.told["rating"], asked.told["kind"]) == (3500, Kind.engine)
    assert mode_of(asked) == "best"
