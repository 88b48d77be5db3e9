"""How many steps a run has: as its plan says, or fewer with --within, so that it is whole in time."""

from __future__ import annotations

import math
import time
from datetime import timedelta
from typing import Any

import pytorch_lightning as pl

from zeroply.durations import deadline


class Length(pl.Callback):
    """Comes before all others, who ask it. With a limit it guesses after each step how many more there is
    time for, by the pace of those after the first, which may have waited for a compiler; looks at the
    validation part count. The rate goes by that guess, so that it has fallen when the time is up."""

    def __init__(
        self, planned: int, epoch: int, within: timedelta | None = None, began: float | None = None
    ) -> None:
        """`within` is counted from `began`, by `time.monotonic`."""
        self.planned = self.steps = planned
        """How many it may have at the most, and how many it will have as far as is known."""
        self.epoch = epoch
        """Steps of an epoch."""
        self._end = deadline(within, began)
        self._first: tuple[int, float] | None = None
        """The first step of this process, and when it was done."""

    def on_train_batch_end(
        self, trainer: pl.Trainer, lesson: pl.LightningModule, outputs: Any, batch: Any, step: int
    ) -> None:
        if self._end == math.inf:
            return
        self.steps = int(trainer.strategy.broadcast(self._guess(trainer.global_step)))
        if self.steps == trainer.global_step:
            trainer.should_stop = True

    def _guess(self, done: int) -> int:
        now = time.monotonic()
        if now >= self._end:
            return done
        if self._first is None:
            self._first = done, now
            return self.planned
        first, then = self._first
        more = (self._end - now) * (done - first) / max(now - then, 1e-9)
        return min(self.planned, done + 1 + int(more))
