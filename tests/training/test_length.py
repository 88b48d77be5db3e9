"""--within: a run is whole when its time is up."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.training.test_beginning import TINY
from zeroply.artefacts import BEST, load_checkpoint
from zeroply.errors import ZeroplyError
from zeroply.training import folder
from zeroply.training.command import main
from zeroply.training.curves import read
from zeroply.training.length import Length


class Clock:
    """A trainer whose steps take as long as it is told."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, planned: int, limit: float, look: float = 0.0
    ) -> None:
        self.now, self.trainer = 1000.0, SimpleNamespace(global_step=0, should_stop=False)
        self.trainer.strategy = SimpleNamespace(broadcast=lambda value: value)
        monkeypatch.setattr("zeroply.training.length.time", SimpleNamespace(monotonic=lambda: self.now))
        self.length = Length(planned, planned, timedelta(seconds=limit), self.now, look=look)

    def step(self, seconds: float) -> int:
        """How many it will have, as far as is known after the next one."""
        self.now += seconds
        self.trainer.global_step += 1
        trainer: Any = self.trainer
        lesson: Any = None
        self.length.on_train_batch_end(trainer, lesson, None, None, 0)
        return self.length.steps


def test_it_has_as_many_as_there_is_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first step waits for a compiler; a fifth of the time is slower than the rest."""
    clock = Clock(monkeypatch, planned=5000, limit=140.0)
    guesses = [clock.step(40.0), *(clock.step(0.1) for _ in range(800))]
    assert guesses[0] == 5000
    assert all(abs(guess - 1000) <= 2 for guess in guesses[1:])
    while not clock.trainer.should_stop:
        guesses.append(clock.step(0.2))
    assert clock.now == pytest.approx(1140.0, abs=0.3)
    assert guesses[-1] == clock.trainer.global_step == pytest.approx(900, abs=2)
    assert max(abs(after - before) for before, after in pairwise(guesses[1:])) <= 2


def test_it_has_no_more_than_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, planned=50, limit=1000.0)
    assert {clock.step(1.0) for _ in range(50)} == {50}
    assert clock.trainer.should_stop


def test_a_last_look_takes_place_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, planned=5000, limit=100.0, look=300)
    clock.step(0.1)
    while not clock.trainer.should_stop:
        clock.step(0.1)
    assert clock.length.ends_with_a_look
    assert 100 - (clock.now - 1000) == pytest.approx(0.1 * 300 / 3, abs=0.3)


def test_a_look_that_is_more_than_the_learning_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, planned=5000, limit=10.0, look=300)
    clock.step(0.1)
    while not clock.trainer.should_stop:
        clock.step(0.1)
    assert clock.trainer.global_step == pytest.approx(100, abs=1)
    assert clock.trainer.limit_val_batches == 0
    assert not clock.length.ends_with_a_look


def test_no_time_at_all_is_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, planned=50, limit=1.0)
    assert clock.step(60.0) == 1
    assert clock.trainer.should_stop


@pytest.mark.slow
def test_a_run_is_whole_in_its_time(chess: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    command = ["intuition", str(chess), "--out", str(run), *TINY, "--set=warmup=5", "--set=decay=1"]
    main([*command, "--set=steps=100000", "--within=00:00:05"])
    said = capsys.readouterr().err
    done = load_checkpoint(run / "last.safetensors")[1]["training"]["steps"]
    assert "fewer steps if these take more than 5 s" in said
    assert f"trained: {run / BEST} ({done} of 100000 steps, as --within has it)" in said
    assert f"step {done}/{done} " in said
    rates = [entry["rate"] for entry in read(run) if "rate" in entry]
    assert rates[-1] == pytest.approx(2e-3 / done), "the last of so many steps down to zero"
    looked = [entry for entry in read(run) if "validation_loss" in entry]
    assert [entry["step"] for entry in looked] == ([done] if done * 32 >= 1405 else [])
    assert not (run / folder.STATE).exists()
    with pytest.raises(ZeroplyError):
        main([*command, "--resume"])
