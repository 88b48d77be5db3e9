"""What a run writes down, and when."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import torch
from hypothesis import given
from hypothesis import strategies as st

from zeroply.recipes.plan import Epochs
from zeroply.training.diary import EPOCH_PARTS, Diary

LESSON: Any = None


def step(diary: Diary, number: int, steps: int, top1: float = 0.0, rows: int = 1) -> None:
    trainer: Any = SimpleNamespace(global_step=number, max_steps=steps)
    terms = {"top1": torch.tensor(top1)}
    diary.on_train_batch_end(trainer, LESSON, {"terms": terms}, {"move": torch.zeros(rows)}, number - 1)


def look(diary: Diary, top1: float) -> None:
    trainer: Any = SimpleNamespace(callback_metrics={"validation_top1": torch.tensor(top1)})
    diary.on_validation_end(trainer, LESSON)


@given(st.integers(1, 130))
def test_an_entry_at_every_twentieth_of_an_epoch(epoch: int) -> None:
    with TemporaryDirectory() as out:
        diary = Diary(Path(out), Epochs(2), epoch)
        for number in range(1, 2 * epoch + 1):
            step(diary, number, 2 * epoch)
        lines = (Path(out) / "metrics.jsonl").read_text().splitlines()
    steps = [json.loads(line)["step"] for line in lines]
    assert steps == sorted({-(-part * epoch // EPOCH_PARTS) for part in range(1, 2 * EPOCH_PARTS + 1)})


def test_accuracies_are_those_of_the_last_epoch(tmp_path: Path) -> None:
    diary = Diary(tmp_path, Epochs(3), epoch=2)
    step(diary, 1, 6, top1=0.0, rows=30)
    step(diary, 2, 6, top1=1.0, rows=10)
    look(diary, 0.125)
    first = diary.so_far()
    assert (first["epoch"], first["training_top1"]) == (1, 0.25)
    assert first["validation"] == {"validation_top1": 0.125}
    step(diary, 3, 6, top1=1.0)
    assert diary.so_far()["training_top1"] == 0.25  # until there is more to say than a beginning
    step(diary, 4, 6, top1=0.5)
    assert diary.so_far()["training_top1"] == 0.75
    look(diary, 0.5)
    second = diary.so_far()
    assert (second["epoch"], second["training_top1"]) == (2, 0.75)
    assert second["validation"] == {"validation_top1": 0.5}
