"""What is drawn at random follows from seed and step, and nothing of it from anything else that is drawn."""

from __future__ import annotations

from itertools import product

import torch

from zeroply.corpus.sample.portion import WHOLE
from zeroply.training.drawn import Chance, drawn, seed_for


def test_each_draw_seed_step_and_process_has_numbers_of_its_own() -> None:
    cases = list(product(Chance, range(3), range(20), range(2)))
    found = {
        tuple(drawn(4, torch.Generator().manual_seed(seed_for(*case)), WHOLE).tolist()) for case in cases
    }
    assert len(found) == len(cases)


def test_the_same_again() -> None:
    assert seed_for(Chance.HIDDEN, 1, 2) == seed_for(Chance.HIDDEN, 1, 2)
