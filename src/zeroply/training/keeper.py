"""What stays of a run: the last state, saved every minute; the best by its validation part; its epochs."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytorch_lightning as pl

from zeroply.errors import ZeroplyError
from zeroply.recipes import System, save
from zeroply.recipes.checkpoints import BEST, LAST
from zeroply.training.diary import Diary

SAVE_SECONDS = 60.0
LOSS = "validation_loss"


class Keeper(pl.Callback):
    """Comes after the diary, whose entries go into the checkpoints; ends a run that does not improve."""

    def __init__(self, system: System, out: Path, epoch: int, diary: Diary, about: Mapping[str, Any]) -> None:
        self.best = out / BEST
        self._system, self._out, self._epoch, self._diary, self._about = system, out, epoch, diary, about
        self._saved = time.monotonic()
        self._least = float("inf")
        self._least_at = 0
        self.looked_at = 0
        """The step of the last look at the validation part."""

    def on_train_batch_end(
        self, trainer: pl.Trainer, lesson: pl.LightningModule, outputs: Any, batch: Any, step: int
    ) -> None:
        if time.monotonic() - self._saved >= SAVE_SECONDS:
            self._save(self._out / LAST)
        if not trainer.val_dataloaders:  # else it waits for the look at the validation part
            self._keep_epoch(trainer)

    def on_validation_end(self, trainer: pl.Trainer, lesson: pl.LightningModule) -> None:
        self.looked_at = trainer.global_step
        self._keep_epoch(trainer)
        loss = float(trainer.callback_metrics[LOSS])
        if not math.isfinite(loss):
            raise ZeroplyError(
                f"{LOSS} is not finite at step {trainer.global_step}. Try a lower rate: --set rate=…"
            )
        if loss < self._least:
            self._least, self._least_at = loss, trainer.global_step
            self._save(self.best)
        patience = self._system.plan.patience
        if patience is not None and trainer.global_step - self._least_at >= patience * self._epoch:
            trainer.should_stop = True

    def on_exception(self, trainer: pl.Trainer, lesson: pl.LightningModule, exception: BaseException) -> None:
        if trainer.global_step and not isinstance(exception, ZeroplyError):  # a broken loss is not worth it
            self._save(self._out / LAST)

    def on_train_end(self, trainer: pl.Trainer, lesson: pl.LightningModule) -> None:
        self._save(self._out / LAST)
        if not trainer.val_dataloaders:
            self._save(self.best)

    def _keep_epoch(self, trainer: pl.Trainer) -> None:
        epochs, within = divmod(trainer.global_step, self._epoch)
        if self._system.plan.keeps_epochs and not within:
            self._save(self._out / f"epoch-{epochs:02}.safetensors")

    def _save(self, path: Path) -> None:
        self._saved = time.monotonic()
        save(self._system, path, {**self._about, **self._diary.so_far()})
