"""A loss that is not finite ends a run at its step, and nothing good is lost by it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from zeroply.artefacts import _prefix, load_checkpoint
from zeroply.errors import ZeroplyError
from zeroply.training.checkpoint_io import StateIO
from zeroply.training.command import main
from zeroply.training.folder import NOT_FINITE, STATE
from zeroply.training.lesson import Lesson
from zeroply.training.steps import Ordered
from zeroply.training.watch import Watch


def batch(step: int) -> dict[str, Tensor]:
    return {"move": torch.tensor([step])}


@given(
    st.integers(0, 5), st.sampled_from(["policy", "wdl"]), st.sampled_from([math.nan, math.inf, -math.inf])
)
def test_the_step_and_the_term_are_named(
    tmp_path_factory: pytest.TempPathFactory, bad: int, term: str, value: float
) -> None:
    out = tmp_path_factory.mktemp("run")
    watch = Watch(out, batch, {"seed": 3})
    for step in range(bad):
        watch.see(step, {"policy": torch.tensor(1.0), "wdl": torch.tensor(2.0)})
    found = {"policy": torch.tensor(1.0), "wdl": torch.tensor(2.0)} | {term: torch.tensor(value)}
    with pytest.raises(ZeroplyError, match=f"the loss '{term}' is not finite at step {bad + 1}; "):
        watch.see(bad, found)
    rows, about = load_checkpoint(out / NOT_FINITE)
    assert rows["move"].tolist() == [bad]
    assert about == {"seed": 3, "step": bad + 1, "not_finite": term}


def test_a_device_that_is_steps_ahead_tells_of_the_first(tmp_path: Path) -> None:
    watch = Watch(tmp_path, batch, {})
    with patch.object(watch, "_check") as check:  # a host that has heard of nothing yet
        for step, value in enumerate([1.0, math.nan, 2.0, math.inf, 3.0]):
            watch.see(step, {"policy": torch.tensor(value)})
    with pytest.raises(ZeroplyError, match="'policy' is not finite at step 2"):
        watch._check(check.call_args.args[0])
    assert load_checkpoint(tmp_path / NOT_FINITE)[0]["move"].tolist() == [1]


TINY = {"width": 16, "depth": 1, "heads": 2, "inner": 16, "batch": 16, "steps": 60, "warmup": 1}


def test_a_run_ends_at_the_step_and_keeps_the_state_before(
    chess: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch whose gradient is broken: the weights are so after it, and must not be saved."""
    usual, rows_of_step = Lesson.training_step, {}

    def breaking(lesson: Lesson, rows: dict[str, Tensor], step: int) -> dict[str, Tensor]:
        rows_of_step[step] = rows
        found = usual(lesson, rows, step)
        return {**found, "loss": found["loss"] * (math.nan if step == 4 else 1.0)}

    monkeypatch.setattr(Lesson, "training_step", breaking)
    settings = [f"--set={name}={value}" for name, value in TINY.items()]
    with pytest.raises(ZeroplyError, match=r"the gradient is not finite at step 5; .*lower rate"):
        main(["intuition", str(chess), "--out", str(tmp_path), *settings, "--save-every=0"])
    assert max(rows_of_step) == 4
    kept, about = load_checkpoint(tmp_path / NOT_FINITE)
    assert all(torch.equal(column, rows_of_step[4][name]) for name, column in kept.items())
    assert (about["step"], about["options"]["steps"]) == (5, 60)
    state = StateIO().load_checkpoint(tmp_path / STATE)
    assert state["global_step"] == 4
    last = load_checkpoint(tmp_path / "last.safetensors")[0]
    assert all(weight.isfinite().all() for weight in [*state["state_dict"].values(), *last.values()])


def test_a_device_whose_last_step_is_broken_leaves_no_model(
    chess: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of it has come to the host when the run ends, and there is no validation part."""
    steps, usual, see = 5, Lesson.training_step, Watch.see

    def breaking(lesson: Lesson, rows: dict[str, Tensor], step: int) -> dict[str, Tensor]:
        found = usual(lesson, rows, step)
        return {**found, "loss": found["loss"] * (math.nan if step == steps - 1 else 1.0)}

    def lagging(watch: Watch, step: int, found: Mapping[str, Tensor]) -> None:
        with patch.object(watch, "_check"):
            see(watch, step, found)

    monkeypatch.setattr(Lesson, "training_step", breaking)
    monkeypatch.setattr(Watch, "see", lagging)
    settings = [f"--set={name}={value}" for name, value in {**TINY, "steps": steps}.items()]
    with pytest.raises(ZeroplyError, match="the gradient is not finite at step 5; "):
        main(["intuition", str(chess), "--out", str(tmp_path), *settings, "--overfit=8"])
    assert not (tmp_path / "model.safetensors").exists()
    assert StateIO().load_checkpoint(tmp_path / STATE)["global_step"] == 1


@pytest.mark.parametrize(
    ("owner", "name"),
    [(Ordered, "__getitem__"), (Lesson, "training_step"), (Watch, "see")],
    ids=["its batch", "its loss", "what is seen of it"],
)
def test_a_step_that_raises_what_ends_a_loop_does_not_begin_the_run_anew(
    chess: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: type, name: str
) -> None:
    usual, steps = getattr(owner, name), []

    def stumbling(*arguments: Any) -> Any:
        steps.append(arguments)
        if len(steps) == 4:
            raise StopIteration
        return usual(*arguments)

    monkeypatch.setattr(owner, name, stumbling)
    settings = [f"--set={option}={value}" for option, value in TINY.items()]
    with pytest.raises(RuntimeError, match="a run of 60 steps was about to begin anew"):
        main(["intuition", str(chess), "--out", str(tmp_path), *settings])
    assert len(steps) == 4
    assert not (tmp_path / "model.safetensors").exists()


def test_a_look_that_raises_what_ends_a_loop_is_not_taken_for_a_shorter_one(
    chess: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumbling(*arguments: Any) -> Any:
        raise StopIteration

    monkeypatch.setattr(Lesson, "validation_step", stumbling)
    settings = [f"--set={option}={value}" for option, value in TINY.items()]
    with pytest.raises(RuntimeError, match=r"0 of \d+ validation batches were seen"):
        main(["intuition", str(chess), "--out", str(tmp_path), *settings])


NOBODY = 2**22 + 1
"""More than any process's number."""


@pytest.mark.parametrize("left", [NOT_FINITE, f"{_prefix(Path(STATE), NOBODY)}abc"])
def test_a_run_that_broke_in_its_first_step_may_be_begun_anew(chess: Path, tmp_path: Path, left: str) -> None:
    """By a loss, or killed while it wrote its first state."""
    command = ["intuition", str(chess), "--out", str(tmp_path)]
    command += [f"--set={name}={value}" for name, value in {**TINY, "steps": 1}.items()]
    (tmp_path / left).touch()
    with pytest.raises(ZeroplyError, match="has nothing to resume: no run was begun there"):
        main([*command, "--resume"])
    main(command)
    assert not any(path.name.startswith(".") for path in tmp_path.iterdir())
    with pytest.raises(ZeroplyError, match="already holds a trained model"):
        main(command)


def test_a_rate_beyond_all_measure_is_found_at_once(chess: Path, tmp_path: Path) -> None:
    settings = [f"--set={name}={value}" for name, value in TINY.items()]
    with pytest.raises(ZeroplyError, match=r"is not finite at step [23]; "):
        main(["intuition", str(chess), "--out", str(tmp_path), *settings, "--set=rate=1e9"])
    for line in (tmp_path / "metrics.jsonl").read_text().splitlines():
        assert all(math.isfinite(value) for value in json.loads(line).values())
