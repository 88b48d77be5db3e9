"""What a run learns from and what it is judged by."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor

from tests.sources import CHESS
from zeroply.corpus.sample.ahead import Workers
from zeroply.corpus.score import Split
from zeroply.errors import RecipeError
from zeroply.recipes import registry
from zeroply.training.mixture import Mixture
from zeroply.training.parts import Parts
from zeroply.training.ranks import Ranks


def first_boards(corpus: Path, chunk: int) -> tuple[Tensor, Tensor]:
    """Of the first batches to learn and to look at."""
    options = {"width": "32", "depth": "1", "heads": "2", "inner": "32", "batch": "64", "chunk": str(chunk)}
    system = registry.asked_for("intuition").make(CHESS, options)
    parts = Parts(system, Mixture.open([(corpus, 1.0)]), Ranks(), Workers(0))
    learned, (look,) = parts.lessons(64, 0), parts.looks_at(Split.validation, 100)
    return learned.batches[0]["board"], look.lessons.batches[0]["board"]


def test_runs_that_mix_otherwise_are_judged_by_the_same_positions(chess: Path) -> None:
    learned, looked_at = first_boards(chess, 200)
    others, same = first_boards(chess, 2000)
    assert torch.equal(looked_at, same)
    assert not torch.equal(learned, others)


def steps(corpus: Path, epochs: str) -> int:
    options = {"width": "32", "depth": "1", "heads": "2", "inner": "32", "batch": "64", "epochs": epochs}
    system = registry.asked_for("smolgen").make(CHESS, options)
    return Parts(system, Mixture.open([(corpus, 1.0)]), Ranks(), Workers(0)).lessons(64, 0).steps


def test_a_run_may_be_a_part_of_an_epoch(chess: Path) -> None:
    whole = steps(chess, "1")
    assert whole > 20
    assert [steps(chess, part) for part in ("0.5", "2.25", "1e-9")] == [
        round(0.5 * whole),
        round(2.25 * whole),
        1,
    ]
    with pytest.raises(RecipeError, match=r"epochs=0\.0 of 'smolgen' must be above 0"):
        steps(chess, "0")
