"""Which checkpoints a run leaves."""

from __future__ import annotations

import math
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.sources import CHESS
from zeroply.errors import ZeroplyError
from zeroply.recipes import find_recipe
from zeroply.training.diary import Diary
from zeroply.training.keeper import Keeper
from zeroply.training.length import Length
from zeroply.training.stop import Stop


@pytest.mark.parametrize(("value", "kept"), [(1.0, True), (math.nan, False), (-math.inf, False)])
def test_broken_weights_do_not_take_the_place_of_good_ones(tmp_path: Path, value: float, kept: bool) -> None:
    system = find_recipe("centaur").make_small(CHESS)
    diary = Diary(tmp_path, system, Length(13, 5))
    keeper = Keeper(system, tmp_path, 5, diary, Stop(), about={}, asked={}, seconds=0)
    next(system.net.parameters()).detach().view(-1)[0] = value
    saved: list[Path] = []
    trainer: Any = SimpleNamespace(global_step=1, world_size=1, save_checkpoint=saved.append)
    lesson: Any = None
    keeper.on_train_batch_start(trainer, lesson, {}, 1)
    assert bool(saved) is (tmp_path / "last.safetensors").exists() is kept


@pytest.mark.parametrize(("value", "kept"), [(1.0, True), (math.nan, False)])
def test_broken_weights_are_neither_the_best_nor_an_epoch(tmp_path: Path, value: float, kept: bool) -> None:
    system = find_recipe("castle").make_small(CHESS)
    keeper = Keeper(
        system, tmp_path, 1, Diary(tmp_path, system, Length(1, 1)), Stop(), about={}, asked={}, seconds=0
    )
    next(system.net.parameters()).detach().view(-1)[0] = value
    trainer: Any = SimpleNamespace(
        global_step=1, world_size=1, val_dataloaders=None, save_checkpoint=lambda _: None
    )
    lesson: Any = None
    keeper.on_train_batch_end(trainer, lesson, {}, {}, 0)
    with nullcontext() if kept else pytest.raises(ZeroplyError, match="weights are not finite after step 1"):
        keeper.on_train_end(trainer, lesson)
    names = {"model.safetensors", "last.safetensors", "epoch-01.safetensors"}
    assert {path.name for path in tmp_path.iterdir()} == (names if kept else set())


def test_a_run_stopped_within_an_epoch_leaves_the_earlier_ones_alone(tmp_path: Path) -> None:
    system = find_recipe("castle").make_small(CHESS)
    diary = Diary(tmp_path, system, Length(13, 5))
    keeper = Keeper(system, tmp_path, 5, diary, Stop(), about={}, asked={}, seconds=60)
    lesson: Any = None
    kept = []
    for step in (5, 10, 13):  # the last look is after --max-time
        trainer: Any = SimpleNamespace(global_step=step, callback_metrics={"validation_loss": 1 / step})
        keeper.on_validation_end(trainer, lesson)
        kept.append({path.name: path.stat().st_mtime_ns for path in tmp_path.glob("epoch-*")})
    assert list(kept[0]) == ["epoch-01.safetensors"]
    assert kept[1].keys() == {"epoch-01.safetensors", "epoch-02.safetensors"}
    assert kept[2] == kept[1]
