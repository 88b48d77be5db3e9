"""What TensorBoard and Weights & Biases get to see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.sources import CHESS
from zeroply.errors import ZeroplyError
from zeroply.recipes import find_recipe
from zeroply.training import watchers as module
from zeroply.training.watchers import TensorBoard, watchers


def test_tensorboard_reads_what_was_shown(tmp_path: Path) -> None:
    accumulator: Any = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    watch = TensorBoard(tmp_path)
    assert not list(tmp_path.iterdir())
    watch({"policy": 2.5, "validation_policy": 2.25}, 7)
    watch({"policy": 2.0}, 8)
    events = accumulator.EventAccumulator(str(tmp_path))
    events.Reload()
    assert [(event.step, event.value) for event in events.Scalars("policy")] == [(7, 2.5), (8, 2.0)]
    assert [(event.step, event.value) for event in events.Scalars("validation/policy")] == [(7, 2.25)]


def test_a_bare_machine_has_no_watchers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    system = find_recipe("castle").make_small(CHESS)
    assert watchers(tmp_path, None, system) == []
    with pytest.raises(ZeroplyError, match=r"--wandb needs the package wandb\. Install it: pip install"):
        watchers(tmp_path, "project", system)


@pytest.mark.slow
def test_wandb_keeps_a_run_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_MODE", "offline")
    *_, watch = watchers(tmp_path, "project", find_recipe("castle").make_small(CHESS))
    watch({"policy": 2.5}, 1)
    assert list(tmp_path.glob("wandb/offline-run-*"))
