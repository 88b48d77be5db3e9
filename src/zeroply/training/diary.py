"""A run's diary: metrics.jsonl, from which all is made that shows a run, and lines for people.

An entry has means over the steps since the one before. At first every step has one, later they come further
apart, so that any run has some hundreds, even one that is stopped early; which steps have one depends on
nothing but their number and the length of an epoch.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

import pytorch_lightning as pl
import torch
from pytorch_lightning.utilities import rank_zero_only
from torch import Tensor

from zeroply.artefacts import BEST, room_for
from zeroply.durations import in_words
from zeroply.errors import DiskFullError
from zeroply.recipes import System
from zeroply.recipes.plan import Epochs
from zeroply.training.curves import CURVES, GRADIENT, METRICS, OF, draw
from zeroply.training.length import Length
from zeroply.training.max_time import MaxTime
from zeroply.training.ranks import say
from zeroply.training.stretch import Stretch
from zeroply.training.tally import Tally, weighted_sum
from zeroply.training.watchers import Watcher

if TYPE_CHECKING:
    from zeroply.training.lesson import Lesson

FINEST = 200
"""At first each step has an entry; from twice so many steps on every second one has, from four times so many
on every fourth …"""
WIDEST = 128
"""Steps between two entries at the most."""
EPOCH_PARTS = 20
"""Lines in an epoch at the least, where a run is counted in epochs."""
PRINT_SECONDS = 10.0
TOP1, TRAINING_TOP1 = "top1", "training_top1"


class Diary(pl.Callback):
    def __init__(
        self,
        out: Path,
        system: System,
        length: Length,
        *,
        full_speed: float | None = None,
        watchers: Sequence[Watcher] = (),
    ) -> None:
        """With `full_speed` rows a second a device's MFU would be 100 %."""
        self._out, self._of = out, length
        self._title = f"{system.recipe}, {system.game.name}"
        self._plan, self._weights = system.plan, system.objective.weights
        self._full_speed, self._watchers = full_speed, list(watchers)
        self._by_epoch = isinstance(system.plan.length, Epochs)
        self._done = self._positions = 0
        self._right = Tally()
        self._learnt: dict[str, Any] = {}
        self._began = self._printed = self._idle = time.monotonic()
        self._steady: tuple[int, float] | None = None
        self._stretch = Stretch()
        self._run = uuid4().hex
        """By which watchers know it again."""
        self._length = 0
        """Bytes of metrics.jsonl that are of this run."""

    def so_far(self) -> dict[str, Any]:
        """What a checkpoint records of the run's course."""
        return {
            "steps": self._done,
            "epoch": round(self._done / self._of.epoch, 3),
            "positions": self._positions + self._stretch.positions,
            "seconds": round(time.monotonic() - self._began),
            **self._learnt,
        }

    def state_dict(self) -> dict[str, Any]:
        return {
            "done": self._done,
            "positions": self._positions,
            "right": self._right.state(),
            "learnt": self._learnt,
            "seconds": time.monotonic() - self._began,
            "stretch": self._stretch.state(),
            "length": self._length,
            "run": self._run,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self._done, self._positions, self._length = state["done"], state["positions"], state["length"]
        self._right, self._learnt = Tally(state["right"]), state["learnt"]
        self._idle = time.monotonic()
        self._began = self._idle - state["seconds"]
        self._stretch, self._run = Stretch(state["stretch"]), state["run"]

    @rank_zero_only
    def on_fit_start(self, trainer: pl.Trainer, lesson: pl.LightningModule) -> None:
        """What another run, or this one after its state was last saved, has written goes."""
        metrics = self._out / METRICS
        if metrics.exists():
            os.truncate(metrics, min(self._length, metrics.stat().st_size))

    def on_train_start(self, trainer: pl.Trainer, lesson: pl.LightningModule) -> None:
        self._go_on()

    def on_train_batch_end(
        self,
        trainer: pl.Trainer,
        lesson: pl.LightningModule,
        outputs: Any,
        batch: Mapping[str, Tensor],
        step: int,
    ) -> None:
        terms, counts = outputs["terms"], outputs["counts"]
        self._done = done = trainer.global_step
        gradient = cast("Lesson", lesson).gradient
        self._stretch.add(
            {**terms, GRADIENT: gradient},
            {**counts, GRADIENT: torch.ones_like(gradient)},
            rows=len(batch["move"]),
            positions=outputs["taught"],
        )
        if TOP1 in terms:
            self._right.add({TOP1: terms[TOP1]}, counts)
        if self._by_epoch and done % self._of.epoch == 0:
            self._count_right()
        told = done == self._of.steps or (self._by_epoch and _ends_a_part(done, self._of.epoch))
        if not told and done % gap(done):
            return
        steps, entry = self._stretch.steps, self._since_the_last()
        if not all(math.isfinite(entry.get(name, 0.0)) for name in (*terms, GRADIENT)):
            return  # the watch is about to end the run
        self._write(entry)
        now = time.monotonic()
        self._steady = self._steady or (done, now)
        if told or now - self._printed >= PRINT_SECONDS:
            self._printed = now
            self._tell(entry, terms, steps, trainer)

    def on_validation_start(self, trainer: pl.Trainer, lesson: pl.LightningModule) -> None:
        self._idle = time.monotonic()

    def on_validation_end(self, trainer: pl.Trainer, lesson: pl.LightningModule) -> None:
        self._go_on()
        found = _measured(trainer, "validation")
        self._count_right()
        self._learnt["validation"] = found
        self._record({**found, **self._learnt}, self._moment())

    def on_test_end(self, trainer: pl.Trainer, lesson: pl.LightningModule) -> None:
        self._record(_measured(trainer, "test"), f"the best, {BEST}:")

    def on_train_end(self, trainer: pl.Trainer, lesson: pl.LightningModule) -> None:
        self._draw()

    def on_exception(self, trainer: pl.Trainer, lesson: pl.LightningModule, exception: BaseException) -> None:
        self._draw()

    def _go_on(self) -> None:
        """What took place since `_idle` was no learning: a look, or getting ready."""
        self._stretch.pause(time.monotonic() - self._idle)

    def _count_right(self) -> None:
        """The training accuracy of an epoch that has ended, or since the last look at the validation part."""
        for right in self._right.means().values():
            self._learnt[TRAINING_TOP1] = round(right, 6)
        self._right = Tally()

    def _moment(self) -> str:
        return f"epoch {self._done / self._of.epoch:.2f}" if self._by_epoch else f"step {self._done}"

    def _where(self) -> dict[str, Any]:
        where: dict[str, Any] = {"step": self._done}
        if self._by_epoch:
            where["epoch"] = round(self._done / self._of.epoch, 4)
        positions = self._positions + self._stretch.positions
        return {**where, "positions": positions, "seconds": round(time.monotonic() - self._began, 2)}

    def _since_the_last(self) -> dict[str, Any]:
        means, (rows, positions) = self._stretch.means(), self._stretch.speeds()
        self._positions += self._stretch.positions
        self._stretch = Stretch()
        share = self._plan.schedule(self._done - 1, self._of.steps, self._of.epoch)
        entry = {
            **self._where(),
            "positions_per_second": round(positions),
            "rate": share * self._plan.optimizer.rate,
            "loss": weighted_sum(means, self._weights),
        }
        if self._full_speed is not None:
            entry["mfu"] = round(rows / self._full_speed, 4)
        return {**entry, **means}

    def _tell(
        self, entry: Mapping[str, Any], terms: Mapping[str, Any], steps: int, trainer: pl.Trainer
    ) -> None:
        """An entry that has the means of so many steps."""
        parts = [self._moment() if self._by_epoch else f"{self._moment()}/{self._of.steps}"]
        parts += [f"{name} {entry[name]:.4f}" for name in terms if name in entry]
        parts[-1] += " (this step)" if steps == 1 else f" (mean of {steps} steps)"
        parts.append(f"{entry['positions_per_second']:,} positions/s")
        if "mfu" in entry:
            parts.append(f"MFU {entry['mfu']:.1%}")
        if self._done == self._of.steps and trainer.enable_validation:
            parts.append("a last look at the validation part follows")
        else:
            parts.append(f"{in_words(self._left(trainer))} left")
        say("  ".join(parts))

    def _left(self, trainer: pl.Trainer) -> float:
        """Seconds, by the steps after the first, which may have waited for a compiler; or till --max-time."""
        first, at = self._steady if self._steady and self._steady[0] < self._done else (0, self._began)
        each = (time.monotonic() - at) / (self._done - first)
        callbacks: list[pl.Callback] = trainer.callbacks  # type: ignore[attr-defined]  # Lightning's own
        limits = [limit.left() for limit in callbacks if isinstance(limit, MaxTime)]
        return min([(self._of.steps - self._done) * each, *limits])

    def _record(self, found: Mapping[str, Any], of: str) -> None:
        """What a look has found, and of what."""
        numbers = {name: value for name, value in found.items() if isinstance(value, float)}
        self._write({**self._where(), **numbers})
        since = {TRAINING_TOP1: " (since the look before)"}
        words = [
            f"{name} {value:.4f}{since.get(name, '')}" for name, value in numbers.items() if OF not in name
        ]
        say("  ".join([of, *words]))
        self._draw()

    @rank_zero_only
    def _write(self, entry: Mapping[str, Any]) -> None:
        path = self._out / METRICS
        with room_for(path), path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
            self._length = file.tell()
        numbers = {name: value for name, value in entry.items() if name != "step"}
        for watch in tuple(self._watchers):
            try:
                watch(numbers, self._done, self._run)
            except OSError as error:  # a full disk, say: what others show of a run is not worth the run
                self._watchers.remove(watch)
                say(f"{type(watch).__name__} is shown no more of this run: {error}")

    @rank_zero_only
    def _draw(self) -> None:
        try:
            draw(self._out, self._title)
        except (OSError, DiskFullError) as error:  # nor is the picture, which can be drawn later
            say(f"{CURVES} is not drawn this time: {error}")


def gap(done: int) -> int:
    """Steps from one entry to the next, after so many."""
    return min(WIDEST, 1 << max(0, (done // FINEST).bit_length() - 1))


def _ends_a_part(done: int, epoch: int) -> bool:
    """Whether a twentieth of an epoch ends with this step."""
    return done * EPOCH_PARTS // epoch > (done - 1) * EPOCH_PARTS // epoch


def _measured(trainer: pl.Trainer, part: str) -> dict[str, float]:
    metrics = trainer.callback_metrics.items()
    return {name: float(value) for name, value in metrics if name.startswith(f"{part}_")}
