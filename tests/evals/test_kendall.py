"""Kendall's τ-b against its definition, and against a value of SciPy's."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroply.evals.kendall import kendall_tau

VALUES = st.sampled_from([-np.inf, -1.0, 0.0, 0.5, 2.0])
PAIRS = st.lists(st.tuples(VALUES, VALUES), max_size=5)


def tau(pairs: list[tuple[float, float]]) -> float:
    """One ranking, among others of another length."""
    values = np.zeros((2, 6, 2))
    values[0, : len(pairs)] = np.array(pairs).reshape(-1, 2)
    values[1] = np.arange(12).reshape(6, 2)
    there = np.ones((2, 6), np.bool_)
    there[0, len(pairs) :] = False
    found = kendall_tau(values[:, :, 0], values[:, :, 1], there)
    assert found[1] == 1.0
    return float(found[0])


def by_definition(pairs: list[tuple[float, float]]) -> float:
    agree = differ = only_a = only_b = 0
    for at, (a, b) in enumerate(pairs):
        for c, d in pairs[:at]:
            agree += (a > c and b > d) or (a < c and b < d)
            differ += (a > c and b < d) or (a < c and b > d)
            only_a += a == c and b != d
            only_b += b == d and a != c
    size = math.sqrt((agree + differ + only_a) * (agree + differ + only_b))
    return (agree - differ) / size if size else math.nan


@given(PAIRS)
def test_it_is_what_its_definition_says(pairs: list[tuple[float, float]]) -> None:
    assert tau(pairs) == pytest.approx(by_definition(pairs), nan_ok=True)


def test_it_is_what_scipy_finds() -> None:
    # The example in the documentation of scipy.stats.kendalltau.
    assert tau([(12, 1), (2, 4), (1, 7), (12, 1), (2, 0)]) == pytest.approx(-0.47140452079103173)
