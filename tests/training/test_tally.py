"""Means over batches that have different amounts to say."""

from __future__ import annotations

import pytest
import torch

from zeroply.training.tally import Tally


def test_batches_count_by_what_they_have_to_say() -> None:
    tally = Tally()
    for mean, count in ((1.0, 1), (3.0, 3), (torch.nan, 0)):
        tally.add({"loss": torch.tensor(mean)}, {"loss": torch.tensor(count)})
    assert tally.means() == {"loss": pytest.approx(10 / 4)}


def test_nothing_said_is_nothing_lost() -> None:
    tally = Tally()
    tally.add({"loss": torch.tensor(0.0)}, {"loss": torch.tensor(0)})
    assert tally.means() == {"loss": 0.0}
