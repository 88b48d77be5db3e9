"""Means over batches that have different amounts to say."""

from __future__ import annotations

import json

import pytest
import torch

from zeroply.training.tally import Tally


def test_batches_count_by_what_they_have_to_say() -> None:
    tally = Tally()
    for mean, count in ((1.0, 1), (3.0, 3), (torch.nan, 0)):
        tally.add({"loss": torch.tensor(mean)}, {"loss": torch.tensor(count)})
    assert tally.means() == tally.of_all().means() == {"loss": pytest.approx(10 / 4)}


def test_nothing_said_is_nothing_lost() -> None:
    tally = Tally()
    assert tally.means() == tally.of_all().means() == {}
    tally.add({"loss": torch.tensor(0.0)}, {"loss": torch.tensor(0)})
    assert tally.means() == {}  # and not a loss of 0


def test_of_several_each_counts_by_its_weight() -> None:
    few, many = Tally(), Tally()
    few.add({"a": torch.tensor(1.0), "b": torch.tensor(7.0)}, {"a": torch.tensor(2), "b": torch.tensor(1)})
    many.add({"a": torch.tensor(4.0)}, {"a": torch.tensor(100)})
    together = Tally.together([(0.5 / 2, few), (0.5 / 100, many)])
    assert together.means() == {"a": pytest.approx(2.5), "b": pytest.approx(7.0)}


def test_a_tally_goes_on_from_its_state() -> None:
    whole, first = Tally(), Tally()
    for number in range(10):
        batch = {"a": torch.tensor(1 / (1 + number)), "b": torch.tensor(0.1 * number)}
        counts = {"a": torch.tensor(number), "b": torch.tensor(3.0)}
        whole.add(batch, counts)
        first.add(batch, counts)
        if number == 4:
            first = Tally(json.loads(json.dumps(first.state())))
    assert first.state() == whole.state()
