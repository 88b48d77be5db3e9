"""A run that was killed goes on as if nothing had happened: the same weights, to the last bit."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import shutil
import signal
import time
from collections.abc import Iterator, Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import torch
from torch import Tensor

from tests.sources import CHESS, SAMPLE
from zeroply.artefacts import LAST, load_checkpoint
from zeroply.corpus.build import build
from zeroply.corpus.score import Split
from zeroply.errors import ZeroplyError
from zeroply.recipes import restore
from zeroply.training import loop
from zeroply.training.checkpoint_io import StateIO
from zeroply.training.command import main
from zeroply.training.folder import LOCK, STATE
from zeroply.training.lesson import Lesson
from zeroply.training.max_time import MaxTime

CLOCK = {"seconds", "positions_per_second", "date"}
"""What may differ between two runs of one command."""


def settings(**options: Any) -> list[str]:
    return [f"--set={name}={value}" for name, value in options.items()]


INTUITION = settings(width=16, depth=1, heads=2, inner=16, warmup=3, batch=16, average=0.9)


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


CASTLE = settings(width=16, move_layers=1, board_layers=1, heads=2, inner=16, hidden=16, history=8)


def checkpoints(run: Path) -> dict[str, dict[str, Tensor]]:
    return {path.name: load_checkpoint(path)[0] for path in run.glob("*.safetensors")}


def metrics(run: Path) -> list[dict[str, Any]]:
    entries = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    return [{name: value for name, value in entry.items() if name not in CLOCK} for entry in entries]


def training(run: Path) -> dict[str, Any]:
    about: dict[str, Any] = load_checkpoint(run / "model.safetensors")[1]["training"]
    return {name: value for name, value in about.items() if name not in CLOCK}


def assert_same(one: Path, other: Path) -> None:
    ours, theirs = checkpoints(one), checkpoints(other)
    assert ours.keys() == theirs.keys()
    for file, tensors in ours.items():
        assert tensors.keys() == theirs[file].keys()
        for name, tensor in tensors.items():
            assert torch.equal(tensor, theirs[file][name]), f"{name} of {file}"
    assert metrics(one) == metrics(other)
    assert training(one) == training(other)


def started(
    arguments: list[str],
    deadly_step: int = -1,
    of: str = "training_step",
    deadly: Sequence[signal.Signals] = (signal.SIGKILL,),
) -> BaseProcess:
    """A process that trains. It sends itself signals as soon as step 0, 1, … begins, if it is told which, in
    training or of a look at another part."""

    def train() -> None:
        torch.set_num_threads(1)  # threads of the parent are not there
        usual = getattr(Lesson, of)

        def hit(lesson: Lesson, rows: dict[str, Tensor], step: int) -> Any:
            if step == deadly_step:
                for number in deadly:
                    os.kill(os.getpid(), number)
            return usual(lesson, rows, step)

        with patch.object(Lesson, of, hit):
            main(arguments)

    process = multiprocessing.get_context("fork").Process(target=train)  # a new one takes seconds to import
    process.start()
    return process


@pytest.mark.slow
def test_a_killed_run_ends_like_one_that_was_not(chess: Path, tmp_path: Path) -> None:
    arguments = ["intuition", str(chess), "--save-every=0", *INTUITION, *settings(steps=9)]
    main([*arguments, "--out", str(tmp_path / "whole")])
    stopped = [*arguments, "--out", str(tmp_path / "stopped")]
    started(stopped, deadly_step=5).join()
    assert steps_saved(tmp_path / "stopped") == 5
    main([*stopped, "--resume"])
    assert_same(tmp_path / "whole", tmp_path / "stopped")


@pytest.fixture
def _looks_often() -> Iterator[None]:
    with patch.object(loop, "_gap", lambda *_: 3):
        yield


SHORT = [*INTUITION, *settings(steps=9)]


@pytest.fixture(scope="module")
def whole(chess: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that looks often and was never stopped."""
    out = tmp_path_factory.mktemp("runs") / "whole"
    with patch.object(loop, "_gap", lambda *_: 3):
        main(["intuition", str(chess), "--out", str(out), *SHORT])
    assert [entry["step"] for entry in metrics(out) if "validation_loss" in entry] == [3, 6, 9]
    return out


@pytest.mark.usefixtures("_looks_often")
@pytest.mark.parametrize(
    ("deadly", "step", "of", "saved"),
    [
        ((signal.SIGINT,), 4, "training_step", 5),
        ((signal.SIGTERM,), 4, "training_step", 5),
        pytest.param((signal.SIGTERM,), 8, "training_step", 9, marks=pytest.mark.slow),
        pytest.param((signal.SIGINT,), 0, "validation_step", 3, marks=pytest.mark.slow),
        pytest.param((signal.SIGTERM, signal.SIGTERM), 5, "training_step", 1, marks=pytest.mark.slow),
        pytest.param((signal.SIGINT, signal.SIGINT), 5, "training_step", 1, marks=pytest.mark.slow),
    ],
)
def test_a_run_that_is_asked_to_stop_saves_the_step_it_is_in(
    chess: Path,
    whole: Path,
    tmp_path: Path,
    deadly: Sequence[signal.Signals],
    step: int,
    of: str,
    saved: int,
) -> None:
    """And its look, if it has one; asked twice, it stops at once and leaves what was saved before."""
    command = ["intuition", str(chess), "--out", str(tmp_path), *SHORT]
    started(command, step, of, deadly).join()
    assert steps_saved(tmp_path) == saved
    assert load_checkpoint(tmp_path / LAST)[1]["training"]["steps"] == saved
    main([*command, "--resume"])
    assert_same(whole, tmp_path)


ELEPHANT = settings(width=16, depth=1, heads=2, inner=16, history=7, rate=0.03, batch=64)


@pytest.mark.slow
@pytest.mark.parametrize(("step", "of"), [(3, "training_step"), (9, "training_step"), (0, "test_step")])
def test_patience_is_not_made_longer_by_a_kill(xiangqi: Path, tmp_path: Path, step: int, of: str) -> None:
    """With a rate of nothing the first look is the best of all, so the third epoch is the last."""
    few = settings(epochs=6, patience=2, rate=0, batch=200)
    arguments = ["elephant", str(xiangqi), *ELEPHANT, *few]
    main([*arguments, "--out", str(tmp_path / "whole")])
    looks = [entry for entry in metrics(tmp_path / "whole") if "validation_loss" in entry]
    assert [entry["step"] for entry in looks] == [4, 8, 12]
    stopped = [*arguments, "--out", str(tmp_path / "stopped"), "--save-every=0"]
    started(stopped, step, of).join()
    assert steps_saved(tmp_path / "stopped") == (step or 12)
    main([*stopped, "--resume"])
    assert_same(tmp_path / "whole", tmp_path / "stopped")


def steps_saved(run: Path) -> int:
    """Opens the file once: torch does so twice, and may meet another there the second time."""
    if not (run / STATE).exists():
        return 0
    with (run / STATE).open("rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    state = json.loads(header["__metadata__"]["zeroply"])["state"]
    return int(dict(state["dict"])["global_step"])


DROPOUT = '''"""Intuition that forgets at random, and learns by Muon."""
from dataclasses import dataclass, replace
from torch import nn
from zeroply.recipes import find_recipe, recipe
from zeroply.recipes.plan import Muon

@dataclass(frozen=True, kw_only=True)
class Options:
    batch: int = 16
    steps: int = 9

@recipe("forgetful", games=("chess",), small={})
def build(options, game):
    small = {"width": 16, "depth": 1, "heads": 2, "inner": 16, "batch": options.batch, "steps": options.steps}
    system = find_recipe("intuition").make(game, {name: str(value) for name, value in small.items()})
    system.net.trunk = nn.Sequential(system.net.trunk, nn.Dropout(0.2))
    plan = replace(system.plan, optimizer=Muon(rate=0.01))
    return replace(system, recipe="forgetful", options=options, plan=plan)
'''


@pytest.mark.slow
@pytest.mark.usefixtures("forgotten_recipes")
def test_what_a_net_draws_at_random_is_the_same_again(chess: Path, tmp_path: Path) -> None:
    file = tmp_path / "forgetful.py"
    file.write_text(DROPOUT)
    arguments = [str(file), str(chess), "--save-every=0"]
    main([*arguments, "--out", str(tmp_path / "whole")])
    stopped = [*arguments, "--out", str(tmp_path / "stopped")]
    started(stopped, deadly_step=4).join()
    main([*stopped, "--resume"])
    assert_same(tmp_path / "whole", tmp_path / "stopped")


@pytest.fixture(scope="module")
def stopped(chess: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], Path]:
    """A command, and the folder of its run, which was killed."""
    out = tmp_path_factory.mktemp("runs") / "stopped"
    command = ["intuition", str(chess), "--out", str(out), "--save-every=0", *INTUITION, *settings(steps=9)]
    started(command, deadly_step=3).join()
    return command, out


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        (["--seed=1"], "seed=0; this command has 1"),
        (["--overfit=8"], "overfit=0; this command has 8"),
        (["--set=steps=10"], "steps=9; this command has 10"),
        (["--movers=winner"], ".*movers=both for .*games; this command has winner"),
    ],
)
def test_only_the_same_run_is_resumed(
    stopped: tuple[list[str], Path], changes: list[str], difference: str
) -> None:
    command, out = stopped
    (out / LOCK).unlink(missing_ok=True)  # which goes with the process that has it, if it is not killed
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    with pytest.raises(ZeroplyError, match=f"stopped was begun with {difference}. Give the command"):
        main([*command, *changes, "--resume"])
    assert before == {path.name: path.read_bytes() for path in out.iterdir()}


def test_other_corpora_are_named(stopped: tuple[list[str], Path], tmp_path: Path, chess: Path) -> None:
    command, _ = stopped
    other = tmp_path / "other"
    build(other, [SAMPLE], CHESS, shares={Split.validation: 0.2})
    rest = [one for one in command if one != str(chess)]
    with pytest.raises(ZeroplyError, match=f"begun with shares.validation=0.1 for {other}; this .* has 0.2"):
        main([*rest, str(other), "--resume"])
    with pytest.raises(ZeroplyError, match=f"begun with weight=1.0 for {chess}; this command has 2.0"):
        main([*rest, f"{chess}=2", "--resume"])
    with pytest.raises(ZeroplyError, match="begun with 1 corpora; this command has 2"):
        main([*command, str(other), "--resume"])


def test_a_damaged_state_has_a_next_step(stopped: tuple[list[str], Path], tmp_path: Path) -> None:
    command, out = stopped
    run = tmp_path / "damaged"
    shutil.copytree(out, run)
    os.truncate(run / STATE, 1000)
    with pytest.raises(ZeroplyError, match=r"is damaged, so .*: --start-from .*damaged/last\.safetensors"):
        main([*command, f"--out={run}", "--resume"])


def test_a_run_that_was_stopped_is_not_begun_anew(stopped: tuple[list[str], Path]) -> None:
    with pytest.raises(ZeroplyError, match=r"holds a run that was stopped. Go on with it: --resume"):
        main(stopped[0])


def test_there_must_be_something_to_resume(chess: Path, tmp_path: Path) -> None:
    arguments = ["intuition", str(chess), "--out", str(tmp_path / "run"), *INTUITION, *settings(steps=1)]
    with pytest.raises(ZeroplyError, match="run has nothing to resume: no run was begun there"):
        main([*arguments, "--resume"])
    main(arguments)
    with pytest.raises(ZeroplyError, match="run has nothing to resume: its run has ended"):
        main([*arguments, "--resume"])
    restore(tmp_path / "run")


def out_of_time(run: Path, stop: int) -> Any:
    """As --max-time stops a run, after so many steps."""

    def left(_: MaxTime) -> float:
        return float(metrics(run)[-1]["step"] < stop)

    return patch.object(MaxTime, "left", left)


@pytest.mark.usefixtures("_looks_often")
@pytest.mark.parametrize("stop", [5, pytest.param(6, marks=pytest.mark.slow)])
def test_no_look_is_added_where_it_would_take_long(
    chess: Path, whole: Path, tmp_path: Path, stop: int
) -> None:
    """After step 6 the whole run has one too."""
    command = ["intuition", str(chess), "--out", str(tmp_path), *SHORT, "--max-time=10:00:00"]
    with out_of_time(tmp_path, stop):
        main(command)
    assert steps_saved(tmp_path) == stop
    main([*command, "--resume"])
    assert_same(whole, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("stop", [4, 5])
def test_a_run_out_of_time_goes_on_where_it_stopped(chess: Path, tmp_path: Path, stop: int) -> None:
    """As --max-time stops it; after step 4, its first epoch, the whole run has a look too."""
    arguments = ["castle", str(chess), *CASTLE, *settings(epochs=2, batch=225)]
    main([*arguments, "--out", str(tmp_path / "whole")])
    stopped = [*arguments, "--out", str(tmp_path / "stopped"), "--max-time=10:00:00"]
    with out_of_time(tmp_path / "stopped", stop):
        main(stopped)
    state = StateIO().load_checkpoint(tmp_path / "stopped" / STATE)
    assert state["global_step"] == stop
    assert set(state["callbacks"]) == {"Diary", "Keeper"}  # not the clock of --max-time
    main([*stopped, "--resume"])
    looks = [entry["step"] for entry in metrics(tmp_path / "stopped") if "validation_loss" in entry]
    assert looks == ([4, 8] if stop == 4 else [4, 5, 8])
    whole, resumed = checkpoints(tmp_path / "whole"), checkpoints(tmp_path / "stopped")
    for name, weight in whole[LAST].items():
        assert torch.equal(weight, resumed[LAST][name])


def kill_after(step: int, delay: float, arguments: list[str], run: Path) -> None:
    """kill -9 some time after so many steps were saved."""
    process = started(arguments)
    while process.is_alive() and steps_saved(run) < step:
        time.sleep(0.01)
    time.sleep(delay)
    process.kill()
    process.join()


def killed_often(arguments: list[str], tmp_path: Path, steps: int, kills: int) -> Path:
    """The run folder after it was killed at random steps and resumed each time; `whole` is beside it."""
    main([*arguments, "--out", str(tmp_path / "whole")])
    chance, out = random.Random(0), tmp_path / "stopped"  # noqa: S311 (no secrets)
    stopped = [*arguments, "--out", str(out), "--save-every=0"]
    for step in sorted(chance.sample(range(1, steps), kills)):
        resume = ["--resume"] if (out / STATE).exists() else []
        kill_after(step, chance.uniform(0, 0.05), [*stopped, *resume], out)
    assert (out / STATE).exists(), "it was not killed in time"
    main([*stopped, "--resume"])
    return out


@pytest.mark.slow
def test_intuition_killed_often(chess: Path, tmp_path: Path) -> None:
    """On two corpora."""
    corpora = [f"{chess}=3", str(chess)]
    arguments = ["intuition", *corpora, "--movers=both,winner", *INTUITION, *settings(steps=150)]
    assert_same(tmp_path / "whole", killed_often(arguments, tmp_path, 140, 4))


@pytest.mark.slow
def test_castle_killed_often(chess: Path, tmp_path: Path) -> None:
    """Every epoch is kept, and the rate falls with them."""
    arguments = ["castle", str(chess), *CASTLE, *settings(epochs=3, batch=16, decay_epochs=1)]
    out = killed_often(arguments, tmp_path, 60, 4)
    assert (out / "epoch-03.safetensors").exists()
    assert_same(tmp_path / "whole", out)


@pytest.mark.slow
def test_elephant_killed_often(xiangqi: Path, tmp_path: Path) -> None:
    """It ends when it gets no better, and shows its best weights the test part."""
    arguments = ["elephant", str(xiangqi), *ELEPHANT, *settings(epochs=300, patience=2)]
    out = killed_often(arguments, tmp_path, 60, 4)
    assert "test_loss" in metrics(out)[-1]
    assert_same(tmp_path / "whole", out)


@pytest.mark.slow
def test_a_batch_learned_by_heart_killed_often(chess: Path, tmp_path: Path) -> None:
    arguments = ["intuition", str(chess), "--overfit=8", *INTUITION, *settings(steps=60)]
    assert_same(tmp_path / "whole", killed_often(arguments, tmp_path, 50, 3))
