"""Learning rates over a run."""

from __future__ import annotations

import pytest

from zeroply.recipes.schedules import (
    Constant,
    EpochDecay,
    Schedule,
    Stairs,
    Warmup,
    WarmupCosine,
    WarmupStableDecay,
)


def shares(schedule: Schedule, at: list[int], steps: int = 100, epoch: int = 10) -> list[float]:
    return [schedule(step, steps, epoch) for step in at]


def test_up_level_and_down_to_nothing() -> None:
    schedule = WarmupStableDecay(warmup=10, decay=0.2)
    assert shares(schedule, [0, 9, 50, 80, 90, 100]) == [0.1, 1.0, 1.0, 1.0, 0.5, 0.0]
    assert max(shares(WarmupStableDecay(warmup=1000, decay=0.4), [0, 1, 2], steps=3)) == 1.0


def test_a_rate_that_falls_all_the_way_rises_first() -> None:
    schedule = WarmupStableDecay(warmup=10, decay=1.0)
    assert shares(schedule, [0, 4, 9, 10, 50, 100]) == pytest.approx([0.1, 0.5, 0.91, 0.9, 0.5, 0.0])
    assert schedule.rising(12) == 6


def test_half_a_cosine_wave() -> None:
    schedule = WarmupCosine(warmup=20)
    assert shares(schedule, [0, 19, 20, 60, 100]) == pytest.approx([0.05, 1.0, 1.0, 0.5, 0.0])
    assert shares(schedule, [0, 4, 5, 9], steps=10) == pytest.approx([0.2, 1.0, 1.0, 0.0955], abs=1e-3)


def test_a_tenth_after_every_five_epochs() -> None:
    schedule = EpochDecay(factor=0.1, epochs=5)
    assert shares(schedule, [0, 49, 50, 99, 100], steps=200) == pytest.approx([1, 1, 0.1, 0.1, 0.01])


def test_stairs_are_of_one_length() -> None:
    schedule = Stairs((1.0, 0.25, 0.075))
    assert shares(schedule, [0, 19, 20, 39, 40, 59, 60], steps=60) == [1, 1, 0.25, 0.25, 0.075, 0.075, 0.075]


def test_constant() -> None:
    assert shares(Constant(), [0, 99]) == [1.0, 1.0]


@pytest.mark.parametrize(
    ("schedule", "rising"),
    [
        (WarmupStableDecay(warmup=1000, decay=0.4), 60),
        (WarmupStableDecay(warmup=1000, decay=0.9), 50),
        (WarmupCosine(warmup=1000), 50),
    ],
)
def test_a_short_run_has_a_short_warm_up(schedule: Warmup, rising: int) -> None:
    assert schedule.rising(100) == rising
    assert schedule.rising(10**6) == 1000
