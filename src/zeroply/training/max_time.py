"""--max-time: a run ends after the step in which its time is up, and not long after."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytorch_lightning as pl

from zeroply.training.ranks import say


class MaxTime(pl.Callback):
    """Comes after all others: Lightning looks at the validation part whenever a run is to stop. Such a look,
    if none is due, takes place only where as many rows were learned since the one before: a look takes a
    third of the work of learning, so the run gets longer by a third of that time at most."""

    def __init__(self, limit: timedelta, began: float, *, batch: int, gap: int, rows: int) -> None:
        """Counted from `began`, by `time.monotonic`. Looks at `rows` rows come every `gap` steps."""
        self._end = began + limit.total_seconds()
        self._batch, self._gap, self._rows = batch, gap, rows

    def left(self) -> float:
        """Seconds."""
        return max(0.0, self._end - time.monotonic())

    def on_train_batch_end(
        self, trainer: pl.Trainer, lesson: pl.LightningModule, outputs: Any, batch: Any, step: int
    ) -> None:
        if not trainer.strategy.broadcast(self.left() == 0) or trainer.global_step == trainer.max_steps:
            return
        trainer.should_stop = True
        since = trainer.global_step % self._gap
        if since and self._rows > since * self._batch:
            trainer.limit_val_batches = 0
        elif self._rows:
            say(f"time is up; a last look at {self._rows:,} rows of the validation part follows")
