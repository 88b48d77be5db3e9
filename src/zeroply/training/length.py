"""How many steps a run has: as its plan says, or fewer with --within, so that it is whole in time."""

from __future__ import annotations

import math
import time
from datetime import timedelta
from typing import Any

import pytorch_lightning as pl

from zeroply.durations import deadline

LOOKED_AT = 1 / 3
"""The work of looking at a row, to that of learning it."""


class Length(pl.Callback):
    """Comes before all others, who ask it. With a limit it guesses after each step how many more there is
    time for, by the pace of those after the first, which may have waited for a compiler; looks at the
    validation part count, the last one too. The rate goes by that guess, so that it has fallen when the time
    is up. A last look that is more work than a third of the learning, in a short run, does not take place."""

    def __init__(
        self,
        planned: int,
        epoch: int,
        within: timedelta | None = None,
        began: float | None = None,
        *,
        look: float = 0.0,
    ) -> None:
        """`within` is counted from `began`, by `time.monotonic`; a look is at as many rows as `look` steps
        have."""
        self.planned = self.steps = planned
        """How many it may have at the most, and how many it will have as far as is known."""
        self.epoch = epoch
        """Steps of an epoch."""
        self._end, self._look = deadline(within, began), look
        self._first: tuple[int, float] | None = None
        """The first step of this process, and when it was done."""

    @property
    def ends_with_a_look(self) -> bool:
        return self._end == math.inf or self.steps >= self._look

    def on_train_batch_end(
        self, trainer: pl.Trainer, lesson: pl.LightningModule, outputs: Any, batch: Any, step: int
    ) -> None:
        if self._end == math.inf:
            return
        self.steps = int(trainer.strategy.broadcast(self._guess(trainer.global_step)))
        if self.steps == trainer.global_step:
            trainer.should_stop = True
            if not self.ends_with_a_look:
                trainer.limit_val_batches = 0

    def _guess(self, done: int) -> int:
        left = self._end - time.monotonic()
        if left <= 0:
            return done
        if self._first is None:
            self._first = done, left
            return self.planned
        first, then = self._first
        more = left * (done - first) / max(then - left, 1e-9)
        if done + more >= self._look:
            more -= self._look * LOOKED_AT
        return min(self.planned, done + math.ceil(max(0.0, more)))
