"""The table and the picture of docs/results.md are those of the numbers that were measured."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bench.six import ABLATIONS, SIX, commands
from bench.six_table import ORDER, drawn, table
from tests.sources import ROOT
from zeroply.games import game_named
from zeroply.recipes import find_recipe
from zeroply.recipes.base import parameters

ENTRIES = json.loads((ROOT / "docs" / "six.json").read_text(encoding="utf-8"))


def test_the_page_has_the_table_of_the_numbers() -> None:
    assert table(ENTRIES, ORDER) in (ROOT / "docs" / "results.md").read_text(encoding="utf-8")


def test_the_picture_is_drawn_from_the_numbers() -> None:
    picture = drawn(ENTRIES)
    assert (ROOT / "docs" / "six.svg").read_text(encoding="utf-8") == picture


def test_the_recipes_are_about_equally_large() -> None:
    for words in {**SIX, **ABLATIONS}.values():
        name, *options = words.split()
        settings = [option for option in options if "=" in option]
        net = find_recipe(name).make(game_named("chess"), dict(option.split("=") for option in settings)).net
        assert 10e6 < parameters(net) < 12e6, words


def test_the_page_tells_how_each_was_trained_and_two_were_measured() -> None:
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    for line in commands(0).splitlines():
        if (
            line.startswith(("zeroply train", "zeroply data"))
            or " intuition-0" in line
            or " centaur-0" in line
        ):
            assert line in page, line


def test_the_picture_names_ablations_where_there_are_any() -> None:
    assert "ablations of intuition" not in drawn([seed(0.2)])
    assert "Below: ablations of intuition" in drawn([seed(0.2), seed(0.3) | {"name": "no history"}])


def test_seeds_are_told_by_their_mean_and_each() -> None:
    assert "| castle | 22.0 % (21.0 – 24.0) | 20.0, 24.0 | – |" in table([seed(0.20), seed(0.24)], ORDER)


def test_runs_that_differ_in_more_than_their_seed_have_no_mean() -> None:
    with pytest.raises(SystemExit, match="castle were trained with different options"):
        table([seed(0.20), seed(0.24, history=128)], ORDER)


def seed(top1: float, **options: int) -> dict[str, Any]:
    """What six.json has of one."""
    numbers = {"parameters": 1, "positions": 2, "positions_per_second": 3, "mfu": 0.4, "milliseconds": 5}
    bounds = {"top1": top1, "top1_low": top1 - 0.01, "top1_high": top1 + 0.02}
    return {"name": "castle", "options": options, **bounds, **numbers}
