"""What a run writes down, and when."""

from __future__ import annotations

import errno
import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sources import CHESS
from zeroply.durations import in_words
from zeroply.recipes import find_recipe
from zeroply.recipes.plan import AdamW, Epochs, Plan, Steps
from zeroply.recipes.schedules import WarmupStableDecay
from zeroply.training.diary import EPOCH_PARTS, FINEST, WIDEST, Diary, gap
from zeroply.training.length import Length

LESSON: Any = SimpleNamespace(gradient=torch.tensor(0.5))
CASTLE = find_recipe("castle").make_small(CHESS)


def diary_of(out: Path, length: Steps | Epochs, epoch: int, **more: Any) -> Diary:
    plan = Plan(
        batch=1,
        length=length,
        optimizer=AdamW(rate=0.25),
        schedule=WarmupStableDecay(warmup=2, decay=0.5),
    )
    steps = length.count * epoch if isinstance(length, Epochs) else length.count
    return Diary(out, replace(CASTLE, plan=plan), Length(int(steps), epoch), **more)


def begun(diary: Diary) -> Diary:
    diary.on_fit_start(LESSON, LESSON)
    diary.on_train_start(LESSON, LESSON)
    return diary


def step(
    diary: Diary,
    number: int,
    top1: float = 0.0,
    rows: int = 1,
    taught: int = 1,
    watched: bool = True,
) -> None:
    trainer: Any = SimpleNamespace(global_step=number, world_size=1, callbacks=[], enable_validation=watched)
    terms = {"policy": torch.tensor(1 - top1), "top1": torch.tensor(top1)}
    positions = torch.tensor(rows * taught)
    outputs = {"terms": terms, "counts": dict.fromkeys(terms, positions), "taught": positions}
    diary.on_train_batch_end(trainer, LESSON, outputs, {"move": torch.zeros(rows)}, number - 1)


def look(diary: Diary, top1: float) -> None:
    trainer: Any = SimpleNamespace(callback_metrics={"validation_top1": torch.tensor(top1)})
    diary.on_validation_start(trainer, LESSON)
    diary.on_validation_end(trainer, LESSON)


def entries(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.integers(1, 130))
def test_an_entry_and_a_line_at_every_twentieth_of_an_epoch(epoch: int) -> None:
    with TemporaryDirectory() as out, pytest.MonkeyPatch.context() as patch:
        said: list[str] = []
        patch.setattr("zeroply.training.diary.say", said.append)
        diary = begun(diary_of(Path(out), Epochs(2), epoch))
        for number in range(1, 2 * epoch + 1):
            step(diary, number)
        steps = {entry["step"] for entry in entries(Path(out))}
    parts = {-(-part * epoch // EPOCH_PARTS) for part in range(1, 2 * EPOCH_PARTS + 1)}
    assert parts <= steps
    assert [line.split("  ")[0] for line in said] == [f"epoch {at / epoch:.2f}" for at in sorted(parts)]


def test_lines_of_looks_say_where_and_of_what(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    diary = begun(diary_of(tmp_path, Epochs(2), 8))
    for number in range(1, 7):
        step(diary, number)
    look(diary, 0.5)
    trainer: Any = SimpleNamespace(callback_metrics={"test_top1": torch.tensor(0.25)})
    diary.on_test_end(trainer, LESSON)
    *steps, looked, tested = capsys.readouterr().err.splitlines()
    assert steps[-1].startswith("epoch 0.75  policy")
    assert looked.startswith("epoch 0.75  validation_top1 0.5000")
    assert tested == "the best, model.safetensors:  test_top1 0.2500"


def test_any_run_has_hundreds_of_entries_and_none_too_many() -> None:
    for steps in (FINEST, 1_000, 20_000, 1_000_000):
        written = sum(done % gap(done) == 0 for done in range(1, steps + 1))
        assert FINEST <= written <= FINEST * 8 + steps / WIDEST


def test_an_entry_has_means_over_all_steps_since_the_last(tmp_path: Path) -> None:
    steps = 2 * FINEST + 4
    diary = begun(diary_of(tmp_path, Steps(steps), 10**6))
    for number in range(1, steps + 1):
        step(diary, number, top1=number % 2, rows=3, taught=5)
    found = entries(tmp_path)
    assert found[0]["top1"] == 1
    assert found[-1]["step"] == steps
    assert (found[-1]["top1"], found[-1]["loss"]) == (0.5, 0.5)
    assert found[-1]["positions"] == diary.so_far()["positions"] == 15 * steps


def test_steps_count_by_what_they_have_to_say(tmp_path: Path) -> None:
    steps = 2 * FINEST + 2
    diary = begun(diary_of(tmp_path, Steps(steps), 10**6))
    for number in range(1, steps + 1):
        step(diary, number, top1=number % 2, taught=1 + 2 * (number % 2))
    assert entries(tmp_path)[-1]["top1"] == 0.75


def test_an_entry_has_the_rate_of_its_step_and_the_share_of_the_device(tmp_path: Path) -> None:
    diary = begun(diary_of(tmp_path, Steps(4), 10, full_speed=1e-3))
    for number in range(1, 5):
        step(diary, number)
    found = entries(tmp_path)
    assert [entry["rate"] for entry in found] == [0.125, 0.25, 0.25, 0.125]
    assert all(entry["mfu"] > 0 for entry in found)


def test_nothing_is_said_of_mfu_where_the_device_is_unknown(tmp_path: Path) -> None:
    diary = begun(diary_of(tmp_path, Steps(1), 10))
    step(diary, 1)
    assert "mfu" not in entries(tmp_path)[0]


def test_watchers_see_what_is_written(tmp_path: Path) -> None:
    seen: list[tuple[dict[str, float], int, str]] = []

    def watch(*shown: Any) -> None:
        seen.append(shown)

    diary = begun(diary_of(tmp_path, Steps(2), 10, watchers=[watch]))
    step(diary, 1)
    look(diary, 0.5)
    resumed = diary_of(tmp_path, Steps(2), 10, watchers=[watch])
    resumed.load_state_dict(json.loads(json.dumps(diary.state_dict())))
    step(begun(resumed), 2)
    assert [{"step": step, **numbers} for numbers, step, _ in seen] == entries(tmp_path)
    assert len({run for _, _, run in seen}) == 1


def test_an_entry_has_the_gradients_norm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = 2 * FINEST + 2
    diary = begun(diary_of(tmp_path, Steps(steps), 10**6))
    for number in range(1, steps + 1):
        monkeypatch.setattr(LESSON, "gradient", torch.tensor(float(number % 2)))
        step(diary, number)
    assert [entry["gradient"] for entry in entries(tmp_path)][:2] == [1, 0]
    assert entries(tmp_path)[-1]["gradient"] == 0.5


def test_a_full_disk_costs_a_run_no_more_than_what_shows_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    diary = begun(diary_of(tmp_path, Steps(2), 10, watchers=[full]))
    step(diary, 1)
    step(diary, 2)
    monkeypatch.setattr(Path, "write_text", full)
    diary.on_train_end(LESSON, LESSON)
    said = capsys.readouterr().err
    assert [entry["step"] for entry in entries(tmp_path)] == [1, 2]
    assert said.count("is shown no more of this run: [Errno 28] No space left") == 1
    assert said.count("curves.svg is not drawn this time: no room for") == 1


def test_accuracies_are_those_of_the_last_epoch(tmp_path: Path) -> None:
    diary = begun(diary_of(tmp_path, Epochs(3), epoch=2))
    step(diary, 1, top1=0.0, rows=30)
    step(diary, 2, top1=1.0, rows=10)
    look(diary, 0.125)
    first = diary.so_far()
    assert (first["epoch"], first["training_top1"]) == (1, 0.25)
    assert first["validation"] == {"validation_top1": 0.125}
    step(diary, 3, top1=1.0)
    assert diary.so_far()["training_top1"] == 0.25  # until there is more to say than a beginning
    step(diary, 4, top1=0.5)
    assert diary.so_far()["training_top1"] == 0.75
    look(diary, 0.5)
    second = diary.so_far()
    assert (second["epoch"], second["training_top1"]) == (2, 0.75)
    assert second["validation"] == {"validation_top1": 0.5}


@pytest.mark.slow
@settings(max_examples=5, deadline=None)
@given(st.integers(1, 2 * FINEST + 9), st.integers(0, 30))
def test_a_diary_goes_on_where_its_state_was_saved(saved: int, lost: int) -> None:
    steps = 2 * FINEST + 50

    def learned(out: Path) -> list[dict[str, Any]]:
        return [{k: v for k, v in e.items() if k not in TIMES} for e in entries(out)]

    with TemporaryDirectory() as one, TemporaryDirectory() as two:
        whole, first = (begun(diary_of(Path(out), Steps(steps), 10)) for out in (one, two))
        for number in range(1, steps + 1):
            step(whole, number, top1=(number * 7 % 10) / 8)
        for number in range(1, min(saved + lost, steps) + 1):
            step(first, number, top1=(number * 7 % 10) / 8)
            if number == saved:
                state = json.loads(json.dumps(first.state_dict()))
        second = diary_of(Path(two), Steps(steps), 10)
        second.load_state_dict(state)
        begun(second)
        for number in range(saved + 1, steps + 1):
            step(second, number, top1=(number * 7 % 10) / 8)
        assert learned(Path(two)) == learned(Path(one))


TIMES = ("seconds", "positions_per_second")


def test_speeds_across_a_stop_are_those_of_the_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps take a second each; neither getting ready nor the time between two commands counts."""
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    steps, saved, rows = 8 * FINEST, 4 * FINEST + 3, 6
    diary = diary_of(tmp_path, Steps(steps), 10**6, full_speed=rows)
    now += 50
    begun(diary)
    for number in range(1, steps + 1):
        now += 1
        step(diary, number, rows=rows, taught=2)
        if number == saved:  # between two entries
            state = json.loads(json.dumps(diary.state_dict()))
            now += 10_000
            diary = diary_of(tmp_path, Steps(steps), 10**6, full_speed=rows)
            diary.load_state_dict(state)
            now += 50
            begun(diary)
    found = entries(tmp_path)
    assert {(entry["positions_per_second"], entry["mfu"]) for entry in found} == {(2 * rows, 1.0)}
    assert saved not in {entry["step"] for entry in found}


def test_times_for_people() -> None:
    assert [in_words(seconds) for seconds in (0.4, 59.4, 200, 7500)] == [
        "0 s",
        "59 s",
        "3 min 20 s",
        "2 h 5 min",
    ]


def test_a_line_says_what_it_is_the_mean_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    steps = 2 * FINEST + 4
    diary = begun(diary_of(tmp_path, Steps(steps), 10**6))
    for number in range(1, steps + 1):
        step(diary, number, top1=1.0)
    look(diary, 0.5)
    of_steps, of_look = capsys.readouterr().err.splitlines()
    assert of_steps.startswith(f"step {steps}/{steps}  policy 0.0000  top1 1.0000 (mean of 2 steps)  ")
    assert of_look == f"step {steps}  validation_top1 0.5000  training_top1 1.0000 (since the look before)"


def test_the_last_line_says_whether_a_look_follows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for watched in (True, False):
        diary = begun(diary_of(tmp_path, Steps(3), 10**6))
        for number in range(1, 4):
            step(diary, number, watched=watched)
    look_follows, nothing_follows = capsys.readouterr().err.splitlines()
    assert look_follows.endswith("positions/s  a last look at the validation part follows")
    assert nothing_follows.endswith("positions/s  0 s left")
