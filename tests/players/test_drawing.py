"""Laws of drawing a move: what temperature and top-p may change, and what they never do."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.players.nets import MaterialNet
from tests.players.test_rules import CHECKED, played
from zeroply.errors import ZeroplyError
from zeroply.games import game_named
from zeroply.players.base import Glance
from zeroply.players.chosen import player_of
from zeroply.players.drawing import (
    LEAST_SHARE,
    LIVELIEST,
    RATED_CALMEST,
    RATED_LIVELIEST,
    Drawing,
    usual_temperature,
)
from zeroply.players.net import likeliest_first

XIANGQI = game_named("xiangqi")
SOME = Glance(moves=np.array([7, 3, 9, 1]), probabilities=np.array([0.5, 0.3, 0.15, 0.05]))

logits = st.lists(st.floats(-30, 0), min_size=1, max_size=40)
temperatures, seeds = st.floats(0.01, 10), st.integers(0, 2**32)


def glance_of(values: list[float]) -> Glance:
    order, shares = likeliest_first(np.array(values))
    return Glance(moves=order, probabilities=shares)


def drawn(glance: Glance, seed: int, temperature: float, top_p: float = 1.0) -> list[int]:
    drawing = Drawing(temperature=temperature, top_p=top_p)
    return list(drawing.moves(glance, np.random.default_rng(seed)))


@given(logits, temperatures, st.floats(LEAST_SHARE, 1), seeds)
def test_every_move_comes_once(values: list[float], temperature: float, top_p: float, seed: int) -> None:
    glance = glance_of(values)
    assert sorted(drawn(glance, seed, temperature, top_p)) == sorted(glance.moves)


@given(logits, temperatures, seeds, st.sampled_from([LEAST_SHARE, 1e-9]))
def test_hardly_a_share_is_the_likeliest_move(
    values: list[float], temperature: float, seed: int, top_p: float
) -> None:
    glance = glance_of(values)
    assert drawn(glance, seed, temperature, top_p) == glance.moves.tolist()


@given(logits, seeds)
def test_at_temperature_zero_top_p_changes_nothing(values: list[float], seed: int) -> None:
    glance = glance_of(values)
    assert drawn(glance, seed, 0.0, 0.3) == drawn(glance, seed, 0.0) == glance.moves.tolist()


@given(logits, temperatures, st.floats(LEAST_SHARE, 0.999), seeds)
def test_the_first_is_among_the_fewest_that_have_the_share(
    values: list[float], temperature: float, top_p: float, seed: int
) -> None:
    glance = glance_of(values)
    weights = glance.probabilities ** (1 / temperature)
    shares = weights / weights.sum()
    place = glance.moves.tolist().index(drawn(glance, seed, temperature, top_p)[0])
    assert place == 0 or shares[:place].sum() < top_p + 1e-9


def test_the_whole_share_is_no_limit() -> None:
    """Also where a sum of shares would round the last ones away."""
    glance = Glance(moves=np.arange(3), probabilities=np.array([1 - 1e-17, 1e-17, 1e-18]))
    firsts = {drawn(glance, seed, 100.0)[0] for seed in range(200)}
    assert firsts == {0, 1, 2}


def test_shares_within_the_limit_keep_their_proportions() -> None:
    counts = Counter(drawn(SOME, seed, 1.0, 0.8)[0] for seed in range(4000))
    assert set(counts) == {7, 3}
    # 5 to 3: 2500 of 4000 expected, standard deviation 31.
    assert 2340 < counts[7] < 2660
    assert set(Counter(drawn(SOME, seed, 1.0, 0.81)[0] for seed in range(400))) == {7, 3, 9}


@pytest.mark.parametrize("top_p", [0.01, 0.5, 1.0])
def test_forbidden_and_illegal_moves_are_never_played(top_p: float) -> None:
    red = played("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1", *CHECKED, game=XIANGQI)
    longed_for = XIANGQI.moves.number("a8a9")
    others = [move for move in red.legal().tolist() if move != longed_for]
    shares = np.array([0.99, *[0.01 / len(others)] * len(others)])
    glance = Glance(moves=np.array([longed_for, *others]), probabilities=shares)
    for seed in range(40):
        player = player_of(MaterialNet("policy"), temperature=1.0, top_p=top_p, seed=seed)
        assert player.pick(red, glance) in others


@pytest.mark.parametrize(
    ("settings", "part"),
    [
        ({"temperature": -1.0}, "temperature=-1.0 will not do: it is a number from 0 to 100"),
        ({"temperature": float("nan")}, "temperature=nan"),
        ({"top_p": 1.1}, "top_p=1.1 will not do: it is a number above 0, at most 1"),
        ({"top_p": 0.0}, "top_p=0.0 will not do: it is a number above 0, at most 1"),
    ],
)
def test_what_makes_no_sense_is_refused(settings: dict[str, float], part: str) -> None:
    with pytest.raises(ZeroplyError, match=part):
        Drawing(**settings)


@given(st.integers(1, 4000), st.integers(1, 4000))
def test_the_lower_a_rating_the_freer_its_moves(one: int, other: int) -> None:
    low, high = sorted((one, other))
    assert LIVELIEST >= usual_temperature(low) >= usual_temperature(high) >= 0


def test_usual_temperatures() -> None:
    assert [usual_temperature(rating) for rating in (2300, 2800, 2850, 0, None)] == [0.6, 0, 0, 0, 0]
    assert usual_temperature(2550) == pytest.approx(0.3)


def test_the_page_has_the_same_ones() -> None:
    source = (Path(__file__).parents[2] / "frontend" / "src" / "usual.ts").read_text(encoding="utf-8")
    calm, lively = RATED_CALMEST, RATED_LIVELIEST
    law = f"{LIVELIEST} * Math.min(1, Math.max(0, ({calm} - rating) / ({calm} - {lively})));"
    assert law in source


class RatedNet(MaterialNet):
    reads = ("board", "turn", "rating")


def test_a_person_is_drawn_at_the_temperature_of_his_rating_unless_another_is_named() -> None:
    net = RatedNet("policy")
    assert player_of(net).drawing.temperature == 0
    assert player_of(net, rating=2300).drawing.temperature == LIVELIEST
    assert player_of(net, rating=2300, temperature=0.0).drawing.temperature == 0
    assert player_of(MaterialNet("policy"), rating=2300).drawing.temperature == 0  # it knows no ratings
