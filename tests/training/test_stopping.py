"""A run that does not improve ends early; its best weights stay, and only these meet the test part."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from zeroply.artefacts import BEST, LAST
from zeroply.corpus.sample.ahead import Workers
from zeroply.corpus.score import Split
from zeroply.recipes import restore
from zeroply.training.command import main
from zeroply.training.mixture import Mixture

TINY = [
    f"--set={option}" for option in ("width=16", "depth=1", "heads=2", "inner=16", "history=7", "batch=32")
]


def train(corpus: Path, run: Path, *changes: str) -> list[dict[str, Any]]:
    main(["elephant", str(corpus), "--out", str(run), *TINY, *(f"--set={change}" for change in changes)])
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def looks(entries: list[dict[str, Any]]) -> list[float]:
    return [entry["validation_loss"] for entry in entries if "validation_loss" in entry]


@pytest.mark.slow
@pytest.mark.parametrize(("patience", "expected"), [(1, 2), (3, 4), (0, 6)])
def test_patience_is_the_epochs_without_a_lower_loss(
    xiangqi: Path, tmp_path: Path, patience: int, expected: int
) -> None:
    """With a rate of nothing the first look is the best of all."""
    entries = train(xiangqi, tmp_path / "run", "epochs=6", "rate=0", f"patience={patience}")
    assert len(looks(entries)) == expected
    assert len(set(looks(entries))) == 1


def loss_of(checkpoint: Path, corpus: Path) -> dict[str, float]:
    """Over the test part, in one batch."""
    system, _ = restore(checkpoint)
    mixture = Mixture.open([(corpus, 1.0)]).sampled(system.plan.sampling)
    lessons = mixture.batches(
        Split.test,
        batch=10**6,
        history=system.encoding.history,
        seed=0,
        place=torch.empty(0),
        workers=Workers(0),
        steps=lambda epoch: epoch,
    )
    assert lessons.steps == 1
    rows = lessons.batches[0]
    with torch.inference_mode():
        out = system.net(system.encoding(rows))
        loss, terms = system.objective(out, rows)
        right = system.measures["top1"](out, rows)
    return {"loss": float(loss), "top1": float(right), **{name: float(term) for name, term in terms.items()}}


@pytest.mark.slow
def test_the_test_part_is_shown_to_the_best_weights(xiangqi: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    entries = train(xiangqi, run, "epochs=200", "rate=0.03", "patience=2", "batch=200")
    seen = looks(entries)
    assert np.argmin(seen) == len(seen) - 3  # it stopped after two epochs that were worse
    (tested,) = [entry for entry in entries if "test_loss" in entry]
    best, last = loss_of(run / BEST, xiangqi), loss_of(run / LAST, xiangqi)
    assert {name: tested[f"test_{name}"] for name in best} == pytest.approx(best, abs=1e-4)
    assert abs(last["loss"] - best["loss"]) > 0.001
