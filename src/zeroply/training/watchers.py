"""Programs that people watch runs with. Each is shown the numbers of every entry of the diary, and opens its
own files or connection with the first: a run that comes to nothing leaves nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from zeroply.errors import ZeroplyError
from zeroply.training.curves import read

if TYPE_CHECKING:
    from zeroply.recipes import System

EVENTS = "events.out.tfevents"
"""How the names of TensorBoard's files begin."""


class Watcher(Protocol):
    def __call__(self, numbers: Mapping[str, float], step: int, run: str) -> None:
        """`run` is a name that no other run has; it stays the same when the run is resumed."""
        ...


def check_installed(wandb: str | None) -> None:
    if wandb is not None and not find_spec("wandb"):
        raise ZeroplyError("--wandb needs the package wandb. Install it: pip install 'zeroply[wandb]'")


def watchers(out: Path, wandb: str | None, system: System) -> list[Watcher]:
    """TensorBoard wherever it is installed, Weights & Biases where a project is named."""
    found: list[Watcher] = [TensorBoard(out)] if find_spec("tensorboard") else []
    if wandb is not None:
        about = {"recipe": system.recipe, "game": system.game.name, **asdict(system.options)}
        found.append(WeightsAndBiases(out, wandb, about))
    return found


class TensorBoard:
    """One event file in the run's folder. A run that goes on writes it anew from the diary, which has been
    cut to what the run has learned: else there would be a file for every time that it was resumed."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._writer: Any = None

    def __call__(self, numbers: Mapping[str, float], step: int, run: str) -> None:
        if self._writer is None:
            self._begin()
        self._add(numbers, step)
        self._writer.flush()

    def _begin(self) -> None:
        from torch.utils.tensorboard import SummaryWriter

        for old in self._out.glob(f"{EVENTS}*"):
            old.unlink()
        self._writer = SummaryWriter(self._out)
        for entry in read(self._out)[:-1]:  # the last is the one that is shown now
            self._add({name: value for name, value in entry.items() if name != "step"}, entry["step"])

    def _add(self, numbers: Mapping[str, float], step: int) -> None:
        for name, value in numbers.items():
            self._writer.add_scalar(_grouped(name), value, step)


class WeightsAndBiases:
    """A run of a project there; `WANDB_MODE=offline` keeps it in the run's folder."""

    def __init__(self, out: Path, project: str, about: Mapping[str, Any]) -> None:
        self._out, self._project, self._about = out, project, about
        self._run: Any = None

    def __call__(self, numbers: Mapping[str, float], step: int, run: str) -> None:
        import wandb

        self._run = self._run or wandb.init(
            project=self._project,
            name=self._out.name,
            dir=self._out,
            config=dict(self._about),
            id=run,
            resume="allow",
        )
        self._run.log({_grouped(name): value for name, value in numbers.items()}, step=step)


def _grouped(name: str) -> str:
    """'validation_policy' -> 'validation/policy', so that pages show what belongs together in one place."""
    part, _, rest = name.partition("_")
    return f"{part}/{rest}" if part in ("training", "validation", "test") else name
