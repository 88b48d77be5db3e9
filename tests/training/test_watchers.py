"""What TensorBoard and Weights & Biases get to see."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.sources import CHESS
from zeroply.errors import ZeroplyError
from zeroply.recipes import find_recipe
from zeroply.training import watchers as module
from zeroply.training.curves import METRICS
from zeroply.training.watchers import TensorBoard, WeightsAndBiases, check_installed, watchers


def test_tensorboard_reads_what_was_shown(tmp_path: Path) -> None:
    accumulator: Any = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    watch = TensorBoard(tmp_path)
    assert not list(tmp_path.iterdir())
    watch({"policy": 2.5, "validation_policy": 2.25}, 7, "run")
    watch({"policy": 2.0}, 8, "run")
    events = accumulator.EventAccumulator(str(tmp_path))
    events.Reload()
    assert [(event.step, event.value) for event in events.Scalars("policy")] == [(7, 2.5), (8, 2.0)]
    assert [(event.step, event.value) for event in events.Scalars("validation/policy")] == [(7, 2.25)]


def test_a_resumed_run_has_one_event_file_with_all(tmp_path: Path) -> None:
    accumulator: Any = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    metrics = tmp_path / METRICS
    for steps in (range(1, 4), range(3, 6)):  # what came after the second step was lost
        metrics.write_text(
            "".join(json.dumps({"step": step, "policy": 1 / step}) + "\n" for step in range(1, steps[0]))
        )
        watch = TensorBoard(tmp_path)
        for step in steps:
            with metrics.open("a") as file:
                file.write(json.dumps({"step": step, "policy": 1 / step}) + "\n")
            watch({"policy": 1 / step}, step, "run")
    assert len(list(tmp_path.glob("events.*"))) == 1
    events = accumulator.EventAccumulator(str(tmp_path))
    events.Reload()
    assert [event.step for event in events.Scalars("policy")] == [1, 2, 3, 4, 5]


def test_a_bare_machine_has_no_watchers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    system = find_recipe("castle").make_small(CHESS)
    assert watchers(tmp_path, None, system) == []
    with pytest.raises(ZeroplyError, match=r"--wandb needs the package wandb\. Install it: pip install"):
        check_installed("project")


def test_wandb_goes_on_with_a_run_that_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[dict[str, Any]] = []

    def init(**asked: Any) -> SimpleNamespace:
        begun.append(asked)
        return SimpleNamespace(log=lambda numbers, step: None)

    monkeypatch.setitem(sys.modules, "wandb", SimpleNamespace(init=init))
    for steps in (range(3), range(3, 5)):
        watch = WeightsAndBiases(tmp_path, "project", {})
        for step in steps:
            watch({"policy": 2.5}, step, "a1b2")
    assert [(asked["id"], asked["resume"]) for asked in begun] == [("a1b2", "allow")] * 2


@pytest.mark.slow
def test_wandb_keeps_a_run_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_MODE", "offline")
    *_, watch = watchers(tmp_path, "project", find_recipe("castle").make_small(CHESS))
    watch({"policy": 2.5}, 1, "a1b2")
    assert list(tmp_path.glob("wandb/offline-run-*-a1b2"))
