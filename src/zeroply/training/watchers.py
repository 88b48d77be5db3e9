"""Programs that people watch runs with. Each is shown the numbers of every entry of the diary, and opens its
own files or connection with the first: a run that comes to nothing leaves nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from zeroply.errors import ZeroplyError
from zeroply.recipes import System


class Watcher(Protocol):
    def __call__(self, numbers: Mapping[str, float], step: int, run: str) -> None:
        """`run` is a name that no other run has; it stays the same when the run is resumed."""
        ...


def watchers(out: Path, wandb: str | None, system: System) -> list[Watcher]:
    """TensorBoard wherever it is installed, Weights & Biases where a project is named."""
    found: list[Watcher] = [TensorBoard(out)] if find_spec("tensorboard") else []
    if wandb is not None:
        if not find_spec("wandb"):
            raise ZeroplyError("--wandb needs the package wandb. Install it: pip install 'zeroply[wandb]'")
        about = {"recipe": system.recipe, "game": system.game.name, **asdict(system.options)}
        found.append(WeightsAndBiases(out, wandb, about))
    return found


class TensorBoard:
    """Event files in the run's folder."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._writer: Any = None

    def __call__(self, numbers: Mapping[str, float], step: int, run: str) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self._writer = self._writer or SummaryWriter(self._out, purge_step=step)
        for name, value in numbers.items():
            self._writer.add_scalar(_grouped(name), value, step)
        self._writer.flush()


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
