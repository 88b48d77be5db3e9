"""Evaluations as histograms: bells that sum to one, keep their mean, and count where there is a label."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from zeroply.corpus.score import MATE, NO_EVALUATION
from zeroply.heads.scalars import EvaluationBins
from zeroply.objectives.evaluation_bins import EvaluationHistogram, middles, place, points
from zeroply.objectives.evaluation_scale import scaled


def targets(bins: int, *stored: int) -> torch.Tensor:
    rows = {"evaluation": torch.tensor(stored, dtype=torch.int16)}
    return EvaluationHistogram(bins).targets(rows)


@settings(deadline=None)
@given(st.integers(-MATE, MATE), st.sampled_from([2, 32, 64, 101]))
def test_a_bell_sums_to_one_and_its_mean_is_the_place(stored: int, bins: int) -> None:
    (bell,) = targets(bins, stored)
    places = (torch.arange(bins) + 0.5) / bins
    among = float(place(scaled(np.array([stored], np.int16)))[0])
    assert float(bell.sum()) == pytest.approx(1, abs=1e-5)
    # At an edge the bell is cut, which moves its mean by less than a bin.
    assert float(bell @ places) == pytest.approx(among, abs=1 / bins)


@pytest.mark.parametrize("bins", [2, 64, 257])
def test_the_middle_of_a_bin_lies_in_the_middle(bins: int) -> None:
    evaluations, worth = (table.double().numpy() for table in middles(bins))
    np.testing.assert_allclose(place(evaluations), (np.arange(bins) + 0.5) / bins, atol=1e-4)
    np.testing.assert_allclose(points(evaluations), worth, atol=1e-4)
    assert place(np.array([-4.0, 0.0, 4.0])).tolist() == pytest.approx([0, 0.5, 1], abs=1e-6)


def said(bins: int, *stored: int) -> dict[str, torch.Tensor]:
    """What the head says of evaluations that its net knows."""
    head = EvaluationBins(1, *middles(bins))
    head.layers = nn.Sequential()
    out: dict[str, torch.Tensor] = head(targets(bins, *stored).clamp(min=1e-30).log()[:, None], {})
    return out


@settings(deadline=None)
@given(st.integers(-1000, 1000))
def test_a_net_that_knows_the_bell_says_the_evaluation_and_its_points(stored: int) -> None:
    out, array = said(64, stored), np.array([stored], np.int16)
    assert float(out["evaluation"]) == pytest.approx(float(scaled(array)[0]), abs=0.03)
    assert float(out["value"]) == pytest.approx(float(points(scaled(array))[0]), abs=0.002)


@pytest.mark.parametrize(("mate", "off"), [(1, 0.5), (2, 0.3), (5, 0.1), (10, 0.1), (15, 0.1), (40, 0.1)])
def test_mates_are_told_apart(mate: int, off: float) -> None:
    """The best of all is at the edge, where a bell is cut."""
    for_mover, against = said(64, MATE - mate, mate - MATE)["evaluation"].tolist()
    assert for_mover == pytest.approx(-against, abs=0.01)
    assert for_mover == pytest.approx(4 - (min(mate, 15) - 1) * 8 / 42, abs=off)


def test_points_are_a_half_for_nothing_and_all_for_a_mate() -> None:
    found = points(scaled(np.array([0, MATE - 3, 5 - MATE, 100], np.int16)))
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


def test_the_head_says_the_means_of_its_bins() -> None:
    torch.manual_seed(0)
    out = EvaluationBins(8, *middles(16))(torch.randn(3, 5, 8), {})
    for name, table in zip(("evaluation", "value"), middles(16), strict=True):
        torch.testing.assert_close(out[name], out["evaluation_bins"].exp() @ table)
