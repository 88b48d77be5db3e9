"""Which checkpoints a run leaves."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.sources import CHESS
from zeroply.recipes import find_recipe
from zeroply.training.diary import Diary
from zeroply.training.keeper import Keeper


def test_a_run_stopped_within_an_epoch_leaves_the_earlier_ones_alone(tmp_path: Path) -> None:
    system = find_recipe("castle").make_small(CHESS)
    diary = Diary(tmp_path, system, epoch=5)
    keeper = Keeper(system, tmp_path, 5, diary, {})
    lesson: Any = None
    kept = []
    for step in (5, 10, 13):  # the last look is after --max-time
        trainer: Any = SimpleNamespace(global_step=step, callback_metrics={"validation_loss": 1 / step})
        keeper.on_validation_end(trainer, lesson)
        kept.append({path.name: path.stat().st_mtime_ns for path in tmp_path.glob("epoch-*")})
    assert list(kept[0]) == ["epoch-01.safetensors"]
    assert kept[1].keys() == {"epoch-01.safetensors", "epoch-02.safetensors"}
    assert kept[2] == kept[1]
