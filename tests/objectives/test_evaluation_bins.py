"""Evaluations as histograms: bells that sum to one, keep their mean, and count where there is a label."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from zeroply.corpus.score import MATE, NO_EVALUATION
from zeroply.heads.scalars import EvaluationBins
from zeroply.objectives.evaluation_bins import EvaluationHistogram, expected_points, worth_of_bins
from zeroply.objectives.evaluation_scale import scaled


def targets(bins: int, *stored: int) -> torch.Tensor:
    rows = {"evaluation": torch.tensor(stored, dtype=torch.int16)}
    return EvaluationHistogram(bins).targets(rows)


@settings(deadline=None)
@given(st.integers(-MATE, MATE), st.sampled_from([2, 32, 64, 101]))
def test_a_bell_sums_to_one_and_its_mean_is_the_points(stored: int, bins: int) -> None:
    (bell,) = targets(bins, stored)
    middles = (torch.arange(bins) + 0.5) / bins
    points = float(expected_points(np.array([stored], np.int16))[0])
    assert float(bell.sum()) == pytest.approx(1, abs=1e-5)
    # At an edge the bell is cut, which moves its mean by less than a bin.
    assert float(bell @ middles) == pytest.approx(points, abs=1 / bins)


@settings(deadline=None)
@given(st.integers(-900, 900))
def test_a_net_that_knows_the_bell_says_the_evaluation(stored: int) -> None:
    said = float(targets(64, stored)[0] @ worth_of_bins(64))
    assert said == pytest.approx(float(scaled(np.array([stored]))[0]), abs=0.03)


def test_points_are_a_half_for_nothing_and_all_for_a_mate() -> None:
    found = expected_points(np.array([0, MATE - 3, 5 - MATE, 100], np.int16))
    np.testing.assert_allclose(found, [0.5, 1, 0, 0.591], atol=1e-3)


def test_the_least_is_reached_by_the_labels_themselves_and_rows_without_one_do_not_count() -> None:
    rows = {"evaluation": torch.tensor([40, -700, NO_EVALUATION], dtype=torch.int16)}
    term = EvaluationHistogram(32)
    out = {"evaluation_bins": term.targets(rows).clamp(min=1e-30).log()}
    torch.testing.assert_close(term(out, rows), term.least(rows))
    out["evaluation_bins"][2] = -9.0
    torch.testing.assert_close(term(out, rows), term.least(rows))
    assert int(term.counted(rows)) == 2
    nothing = {"evaluation": torch.tensor([NO_EVALUATION], dtype=torch.int16)}
    assert float(term({"evaluation_bins": torch.zeros(1, 32)}, nothing)) == 0.0


def test_the_head_says_the_mean_of_its_bins() -> None:
    torch.manual_seed(0)
    head = EvaluationBins(8, worth_of_bins(16))
    out = head(torch.randn(3, 5, 8), {})
    torch.testing.assert_close(out["evaluation"], out["evaluation_bins"].exp() @ worth_of_bins(16))
