"""The running mean of the weights, and that it is what a run keeps."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from zeroply.artefacts import load_checkpoint
from zeroply.training.average import Average, decay_at
from zeroply.training.checkpoint_io import StateIO
from zeroply.training.command import main
from zeroply.training.folder import STATE


@given(st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=60), st.floats(0.01, 0.9999))
def test_it_is_the_mean_with_falling_shares(values: list[float], decay: float) -> None:
    net = nn.Linear(1, 1, bias=False)
    nn.init.constant_(net.weight, 7.0)
    average = Average(net, decay)
    expected = 7.0
    for step, value in enumerate(values):
        nn.init.constant_(net.weight, value)
        average.follow(net, step)
        kept = min(decay, (1 + step) / (10 + step))
        expected = kept * expected + (1 - kept) * value
    assert float(average.net.get_parameter("weight").detach()) == pytest.approx(expected, abs=1e-5)


@given(st.integers(1, 5000))
def test_a_short_run_forgets_how_it_began(steps: int) -> None:
    """Of the first weights, before any step, at most a tenth is left, and soon nothing."""
    left = 1.0
    for step in range(steps):
        left *= decay_at(step, 0.9999)
    assert left <= (0.1 if steps < 10 else 1e-4)


def test_numbers_that_are_not_learned_are_copied() -> None:
    net = nn.BatchNorm1d(3)
    average = Average(net, 0.999)
    net(torch.randn(8, 3))
    average.follow(net, 0)
    for mine, other in zip(average.net.buffers(), net.buffers(), strict=True):
        assert torch.equal(mine, other)


def test_the_mean_is_looked_at_and_kept(chess: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "run"
    options = {"width": 16, "depth": 1, "heads": 2, "inner": 16, "batch": 16, "steps": 4, "warmup": 1}
    settings = [f"--set={name}={value}" for name, value in options.items()]
    monkeypatch.setattr(StateIO, "remove_checkpoint", lambda *_: None)  # the state of the finished run
    main(["intuition", str(chess), "--out", str(out), *settings, "--set=average=0.5"])
    state = StateIO().load_checkpoint(out / STATE)["state_dict"]
    for file in ("model.safetensors", "last.safetensors"):
        kept = load_checkpoint(out / file)[0]
        assert all(torch.equal(weight, state[f"average.net.{name}"]) for name, weight in kept.items())
        assert any(not torch.equal(weight, state[f"net.{name}"]) for name, weight in kept.items())
