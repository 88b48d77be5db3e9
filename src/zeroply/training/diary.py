"""A run's diary: metrics.jsonl, and a line for people now and then."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytorch_lightning as pl
from torch import Tensor

from zeroply.errors import ZeroplyError
from zeroply.recipes.plan import Epochs, Steps

EVERY = 50
"""Steps between entries: reading a loss waits for the device."""
EPOCH_PARTS = 20
"""Entries in an epoch, where a run is counted in epochs."""
PRINT_SECONDS = 5.0
TOP1 = "top1"


class Diary(pl.Callback):
    def __init__(self, out: Path, length: Steps | Epochs, epoch: int) -> None:
        (out / "metrics.jsonl").unlink(missing_ok=True)
        self._out, self._epoch = out, epoch
        self._by_epoch = isinstance(length, Epochs)
        self._done = self._positions = self._marked_positions = 0
        self._right: Tensor | float = 0.0
        self._seen = 0
        self._learnt: dict[str, Any] = {}
        self._started = self._marked = time.monotonic()
        self._printed = -math.inf if self._by_epoch else self._started

    def so_far(self) -> dict[str, Any]:
        """What a checkpoint records of the run's course."""
        return {
            "steps": self._done,
            "epoch": round(self._done / self._epoch, 3),
            "positions": self._positions,
            "seconds": round(time.monotonic() - self._started),
            **self._learnt,
        }

    def on_train_batch_end(
        self,
        trainer: pl.Trainer,
        lesson: pl.LightningModule,
        outputs: Any,
        batch: Mapping[str, Tensor],
        step: int,
    ) -> None:
        count = len(batch["move"])
        self._positions += count
        self._done = done = trainer.global_step
        if TOP1 in outputs["terms"]:
            self._right, self._seen = self._right + outputs["terms"][TOP1] * count, self._seen + count
        if self._by_epoch and done % self._epoch == 0:
            self._count_right()
        if not self._is_due(done) and done != trainer.max_steps:
            return
        terms = {name: float(value) for name, value in outputs["terms"].items()}
        now = time.monotonic()
        rate = (self._positions - self._marked_positions) / max(now - self._marked, 1e-9)
        self._marked, self._marked_positions = now, self._positions
        self._write({**self._entry(), "positions_per_second": round(rate), **terms})
        broken = [name for name, value in terms.items() if not math.isfinite(value)]
        if broken:
            raise ZeroplyError(
                f"the loss '{broken[0]}' is not finite at step {done}. Try a lower rate: --set rate=…"
            )
        if self._by_epoch or now - self._printed >= PRINT_SECONDS or done == trainer.max_steps:
            self._printed = now
            left = (trainer.max_steps - done) * (now - self._started) / done
            losses = "  ".join(f"{name} {value:.4f}" for name, value in terms.items())
            where = (
                f"epoch {done / self._epoch:.2f}" if self._by_epoch else f"step {done}/{trainer.max_steps}"
            )
            print(f"{where}  {losses}  {rate:,.0f} positions/s  {left:.0f} s left", file=sys.stderr)

    def on_validation_end(self, trainer: pl.Trainer, lesson: pl.LightningModule) -> None:
        found = _measured(trainer, "validation")
        self._count_right()
        self._learnt["validation"] = found
        self._record({**self._learnt, **found})

    def on_test_end(self, trainer: pl.Trainer, lesson: pl.LightningModule) -> None:
        self._record(_measured(trainer, "test"))

    def _is_due(self, done: int) -> bool:
        """Whether there is an entry after so many steps."""
        if not self._by_epoch:
            return done % EVERY == 0
        return done * EPOCH_PARTS // self._epoch > (done - 1) * EPOCH_PARTS // self._epoch

    def _count_right(self) -> None:
        """The training accuracy of an epoch that has ended, or since the last look at the validation part."""
        if self._seen:
            self._learnt["training_top1"] = round(float(self._right) / self._seen, 6)
            self._right, self._seen = 0.0, 0

    def _entry(self) -> dict[str, Any]:
        seconds = round(time.monotonic() - self._started, 2)
        return {"step": self._done, "positions": self._positions, "seconds": seconds}

    def _record(self, found: Mapping[str, Any]) -> None:
        numbers = {name: value for name, value in found.items() if isinstance(value, float)}
        self._write({"step": self._done, **numbers})
        print("  ".join(f"{name} {value:.4f}" for name, value in numbers.items()), file=sys.stderr)

    def _write(self, entry: Mapping[str, Any]) -> None:
        with (self._out / "metrics.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


def _measured(trainer: pl.Trainer, part: str) -> dict[str, float]:
    metrics = trainer.callback_metrics.items()
    return {name: float(value) for name, value in metrics if name.startswith(f"{part}_")}
