"""How long a person would think, and what `go` says of the time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroply.players.base import Glance
from zeroply.players.dialects import UCCI, UCI
from zeroply.players.pace import MOST_SECONDS, Clock, seconds_to_think


def spread(count: int) -> Glance:
    """As many moves as good."""
    return Glance(moves=np.arange(count), probabilities=np.full(count, 1 / count))


def seconds(clock: Clock, glance: Glance, overhead: int = 0, seed: int = 0) -> float:
    return seconds_to_think(clock, glance, overhead, np.random.default_rng(seed))


numbers = st.integers(-1000, 10**8)


@given(numbers, numbers, st.none() | numbers, st.none() | numbers, st.integers(0, 5000), st.integers(0, 99))
def test_it_never_costs_the_game(
    left: int, increment: int, to_go: int | None, move_time: int | None, overhead: int, seed: int
) -> None:
    clock = Clock(left=left, increment=increment, moves_to_go=to_go, move_time=move_time)
    found = seconds(clock, spread(20), overhead, seed)
    most = left / 2 if move_time is None else move_time
    assert 0 <= found <= max(0.0, (most - overhead) / 1000)
    assert found <= MOST_SECONDS


def test_without_a_clock_nobody_waits() -> None:
    assert seconds(Clock(), spread(20)) == seconds(Clock(increment=5), spread(20)) == 0


def test_doubt_takes_time_and_more_time_is_used() -> None:
    clock = Clock(left=100_000)
    by_doubt = [seconds(clock, spread(count)) for count in (1, 2, 4, 8)]
    assert by_doubt == sorted(set(by_doubt))
    assert 0 < by_doubt[0] < 0.1 * by_doubt[-1] * 1.01
    assert seconds(clock, spread(8)) == seconds(clock, spread(30))
    assert seconds(Clock(left=100_000, increment=1000), spread(4)) > by_doubt[2]
    assert seconds(Clock(left=100_000, moves_to_go=10), spread(4)) > by_doubt[2]
    assert len({seconds(clock, spread(4), seed=seed) for seed in range(5)}) == 5
    certain = Glance(moves=np.arange(2), probabilities=np.array([1.0, 0.0]))
    assert seconds(clock, certain) == by_doubt[0]


def test_each_side_has_its_own_clock_in_uci() -> None:
    words = ["wtime", "1000", "btime", "2000", "winc", "10", "binc", "20", "movestogo", "30"]
    assert UCI.clock(words, 0, {}) == Clock(left=1000, increment=10, moves_to_go=30)
    assert UCI.clock(words, 1, {}) == Clock(left=2000, increment=20, moves_to_go=30)
    assert UCI.clock(["movetime", "70"], 0, {}) == Clock(move_time=70)


@pytest.mark.parametrize("text", ["", "wtime", "wtime x", "movetime -", "infinite", "wtime ½ winc 1e9"])
def test_what_is_no_time_is_no_clock(text: str) -> None:
    assert UCI.clock(text.split(), 0, {}) == Clock()
    assert UCCI.clock(text.split(), 0, {}) == Clock()
