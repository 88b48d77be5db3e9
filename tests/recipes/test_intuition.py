"""The recipe that we ship, at its sizes and with its parts."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.recipes.test_recipes import outputs, real_rows, small
from tests.sources import CHESS
from zeroply.errors import RecipeError
from zeroply.games import game_named
from zeroply.recipes import find_recipe
from zeroply.recipes.base import parameters

INTUITION = find_recipe("intuition")


@pytest.mark.parametrize("game", ["chess", "xiangqi"])
@pytest.mark.parametrize(("size", "millions"), [("s", 6), ("m", 12), ("l", 40)])
def test_a_size_has_about_so_many_parameters(game: str, size: str, millions: int) -> None:
    system = INTUITION.make(game_named(game), {"size": size})
    assert 0.94 * millions < parameters(system.net) / 1e6 < 1.06 * millions


def test_what_is_set_by_name_wins_over_the_size_in_any_order() -> None:
    for settings in ({"size": "m", "width": "64"}, {"width": "64", "size": "m"}):
        options = INTUITION.make(CHESS, settings).options
        assert (options.size, options.width, options.depth) == ("m", 64, 5)


def test_the_smallest_size_is_the_default() -> None:
    assert INTUITION.make(CHESS, {"size": "s"}).options == INTUITION.make(CHESS, {}).options


def test_an_unknown_size_is_refused() -> None:
    with pytest.raises(RecipeError, match="size=xl of 'intuition' is not one of s, m, l"):
        INTUITION.make(CHESS, {"size": "xl"})


def test_a_part_without_weight_is_not_there() -> None:
    none = INTUITION.make_small(CHESS, {"outcome_weight": 0.0})
    assert set(outputs(none, real_rows(none, 3))) == {"policy"}
    assert none.objective.reads == {"move"}
    every = INTUITION.make_small(CHESS, {"evaluation_weight": 0.5, "plies_left_weight": 0.1})
    rows = real_rows(every, 3)
    assert set(outputs(every, rows)) == {"policy", "wdl", "evaluation", "evaluation_bins", "plies_left"}


def test_both_ratings_and_kinds_are_told_apart() -> None:
    system = small("intuition", "chess", {"about": "players"})
    row = {name: np.repeat(column[:1], 5, 0) for name, column in real_rows(system, 1).items()}
    row["rating"] = np.array([2500, 2300, 2500, 2500, 3400], np.int16)
    row["opponent_rating"] = np.array([2500, 2500, 2300, 2500, 3400], np.int16)
    row["kind"] = np.array([0, 0, 0, 2, 1], np.int8)
    seen = outputs(system, row)["wdl"]
    assert torch.cdist(seen, seen).add(torch.eye(5)).min() > 1e-5


def test_people_are_cut_where_the_corpora_end_and_engines_later() -> None:
    system = small("intuition", "chess", {"about": "players"})
    row = {name: np.repeat(column[:1], 4, 0) for name, column in real_rows(system, 1).items()}
    row["rating"] = np.array([2900, 3600, 2900, 3600], np.int16)
    row["opponent_rating"], row["kind"] = np.zeros(4, np.int16), np.array([0, 0, 1, 1], np.int8)
    people, same, weak, strong = outputs(system, row)["wdl"]
    assert torch.equal(people, same)
    assert not torch.equal(weak, strong)
