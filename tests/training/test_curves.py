"""The picture of a run."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroply.training.curves import _smoothed, draw, read, svg_of
from zeroply.training.svg import HEIGHT, labels, short, ticks

NUMBERS = st.floats(allow_nan=True, allow_infinity=True, width=32)


def names_of(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)  # noqa: S314  # our own
    return [
        text.text or ""
        for text in root.iter("{http://www.w3.org/2000/svg}text")
        if text.get("class") == "name"
    ]


def run(count: int, **more: Any) -> list[dict[str, Any]]:
    return [
        {"step": step, "positions": 8 * step, "seconds": 1.0 * step, "policy": 3 / step, **more}
        for step in range(1, count + 1)
    ]


@given(st.lists(st.tuples(st.integers(1, 10**7), NUMBERS, NUMBERS), min_size=1, max_size=20))
def test_any_run_makes_a_picture(found: list[tuple[int, float, float]]) -> None:
    entries = [
        {"step": step, "policy": policy, "validation_wdl": wdl, "rate": 0.0, "positions_per_second": 0}
        for step, policy, wdl in sorted(found)
    ]
    svg = svg_of(entries, "a <run> & more")
    assert names_of(svg) == ["policy", "wdl", "learning rate", "positions/s"]
    drawn = [part for part in svg.split("</style>")[1].split('"') if part.startswith("M")]
    assert not any("nan" in path or "inf" in path for path in drawn)


def test_a_loss_of_one_term_is_drawn_once() -> None:
    alone = [{**entry, "loss": entry["policy"]} for entry in run(9)]
    assert names_of(svg_of(alone, "")) == ["policy"]
    assert names_of(svg_of([{**entry, "loss": 1 + entry["policy"]} for entry in alone], "")) == [
        "policy",
        "loss",
    ]


def test_numbers_of_one_corpus_among_several_are_not_drawn() -> None:
    entries = [*run(9), {"step": 9, "validation_policy": 1.25, "validation_policy/masters": 1.5}]
    assert names_of(svg_of(entries, "")) == ["policy"]


def test_runs_of_epochs_are_drawn_by_epochs() -> None:
    assert ">epoch<" in svg_of(run(9, epoch=0.5), "")
    assert ">step<" in svg_of(run(9), "")


def test_long_runs_make_no_longer_pictures() -> None:
    assert len(svg_of(run(20_000), "")) < 2 * len(svg_of(run(200), ""))


def test_the_latest_numbers_are_told() -> None:
    entries = [*run(9), {"step": 9, "validation_policy": 1.25}, {"step": 9, "test_policy": 1.5}]
    svg = svg_of(entries, "")
    assert ", validation 1.250, test 1.500<" in svg
    assert "9 steps" in svg


def test_a_line_that_was_cut_off_does_not_count(tmp_path: Path) -> None:
    lines = [json.dumps(entry) for entry in run(3)]
    (tmp_path / "metrics.jsonl").write_text("\n".join(lines)[:-5])
    assert [entry["step"] for entry in read(tmp_path)] == [1, 2]
    draw(tmp_path, "cut")
    assert (tmp_path / "curves.svg").exists()


def test_nothing_is_drawn_of_nothing(tmp_path: Path) -> None:
    draw(tmp_path, "none")
    assert not list(tmp_path.iterdir())


@given(st.floats(-1e9, 1e9), st.floats(1e-9, 1e9))
def test_ticks_are_round_and_within(low: float, size: float) -> None:
    high = low + max(size, 1e-6 * abs(low))
    found = ticks(low, high)
    assert 2 <= len(found) <= 7
    margin = 1e-6 * (high - low)
    assert all(low - margin <= value <= high + margin for value in found)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (98_400_000, "98.4M"),
        (20_000, "20k"),
        (2.3149, "2.315"),
        (4e-4, "4e-4"),
        (0.25, "0.25"),
        (math.pi * 10, "31.4"),
    ],
)
def test_short_numbers(value: float, text: str) -> None:
    assert short(value) == text


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([0, 5e-4, 1e-3], ["0", "0.0005", "0.0010"]),
        ([0.95, 1.0, 1.05], ["0.95", "1.00", "1.05"]),
        ([0, 2e-4, 4e-4], ["0", "2e-4", "4e-4"]),
        ([0, 1000, 2000], ["0", "1000", "2000"]),
        ([0, 10_000, 20_000], ["0", "10k", "20k"]),
        ([4, 5, 6], ["4", "5", "6"]),
        ([], []),
    ],
)
def test_ticks_of_an_axis_are_written_alike(values: list[float], texts: list[str]) -> None:
    assert labels(values) == texts


def test_single_entries_stay_within_the_chart() -> None:
    """All but the first, high ones."""
    entries = [{"step": step, "policy": 3 + 2 * (step % 2)} for step in range(1, 101)]
    (thin,) = re.findall(r'class="raw" d="M([^"]*L[^"]*)"', svg_of(entries, ""))
    heights = [float(point.split(" ")[1]) for point in thin.split("L")]
    assert 0 < min(heights) < max(heights) < HEIGHT


def test_a_short_runs_line_is_smoothed_over_its_neighbours() -> None:
    places, values = np.arange(1.0, 14), np.zeros(13)
    values[6] = 1.0
    smooth = _smoothed((places, values))
    assert 0.2 < smooth[6] < 0.6
    assert 0.1 < smooth[5] < smooth[6]
