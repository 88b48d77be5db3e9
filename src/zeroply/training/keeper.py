"""What stays of a run: its state and last weights, saved every minute; the best by its validation part; its
epochs."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytorch_lightning as pl
from pytorch_lightning.utilities import rank_zero_only

from zeroply.artefacts import BEST, EPOCH, LAST
from zeroply.errors import ZeroplyError
from zeroply.recipes import System, save
from zeroply.recipes.plan import Epochs
from zeroply.training.diary import Diary
from zeroply.training.folder import STATE
from zeroply.training.stop import Stop

LOSS = "validation_loss"


class Keeper(pl.Callback):
    """Comes after the diary, whose entries go into the checkpoints; ends a run that does not improve."""

    def __init__(
        self,
        system: System,
        out: Path,
        epoch: int,
        diary: Diary,
        stop: Stop,
        *,
        about: Mapping[str, Any],
        asked: Mapping[str, Any],
        seconds: float,
    ) -> None:
        """Keeps the weights of `system`. `about` goes into its checkpoints, `asked` into the state, which is
        saved after the first step, every so many seconds, when the run is asked to stop, and at the end."""
        self.best = out / BEST
        self._system, self._out, self._epoch, self._diary, self._stop = system, out, epoch, diary, stop
        self._about, self._asked, self._seconds = about, asked, seconds
        self._saved = -math.inf
        self._least = math.inf
        self._least_at = 0
        self.looked_at = 0
        """The step of the last look at the validation part."""

    def state_dict(self) -> dict[str, Any]:
        return {"least": self._least, "least_at": self._least_at, "looked_at": self.looked_at}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self._least, self._least_at, self.looked_at = state["least"], state["least_at"], state["looked_at"]
        self._saved = time.monotonic()

    def on_save_checkpoint(
        self, trainer: pl.Trainer, lesson: pl.LightningModule, checkpoint: dict[str, Any]
    ) -> None:
        checkpoint["asked"] = self._asked

    def on_fit_start(self, trainer: pl.Trainer, lesson: pl.LightningModule) -> None:
        if self.is_content:  # resumed, only to be shown the test part
            trainer.should_stop = True

    def on_train_batch_start(
        self, trainer: pl.Trainer, lesson: pl.LightningModule, batch: Any, step: int
    ) -> None:
        """Between two steps, and after the look that there may be between them: of a state within either
        Lightning would not go on with the same numbers."""
        due, stop = self._decided(trainer)
        if trainer.global_step and (due or stop):
            self._save_state(trainer)
        if stop:
            raise KeyboardInterrupt

    def on_train_batch_end(
        self, trainer: pl.Trainer, lesson: pl.LightningModule, outputs: Any, batch: Any, step: int
    ) -> None:
        if not trainer.val_dataloaders:  # else it waits for the look at the validation part
            self._keep_epoch(trainer)

    def on_validation_end(self, trainer: pl.Trainer, lesson: pl.LightningModule) -> None:
        self.looked_at = trainer.global_step
        self._keep_epoch(trainer)
        loss = float(trainer.callback_metrics[LOSS])
        if not math.isfinite(loss):
            raise ZeroplyError(
                f"{LOSS} is not finite at step {trainer.global_step}. "
                "Try a lower rate in a new --out: --set rate=…"
            )
        if loss < self._least:
            self._least, self._least_at = loss, trainer.global_step
            self._save(self.best)
        if self.is_content:
            trainer.should_stop = True

    def on_train_end(self, trainer: pl.Trainer, lesson: pl.LightningModule) -> None:
        if not self._is_sound():  # by the last step's own doing, which no loss could tell
            raise ZeroplyError(
                f"the weights are not finite after step {trainer.global_step}. "
                "Try a lower rate in a new --out: --set rate=…"
            )
        self._save_state(trainer)
        if self._decided(trainer)[1]:
            raise KeyboardInterrupt
        if not trainer.val_dataloaders:
            self._save(self.best)

    @property
    def has_looked(self) -> bool:
        """Whether there is a best by the validation part's loss."""
        return self._least < math.inf

    def take_the_last_for_the_best(self) -> None:
        """Until there is one: the first look of the run that goes on puts it aside."""
        self._save(self.best)

    @property
    def is_content(self) -> bool:
        """Whether the run has gone on for long enough without getting better."""
        patience = self._system.plan.patience
        if patience is None:
            return False
        steps = patience.count * (self._epoch if isinstance(patience, Epochs) else 1)
        return self.looked_at - self._least_at >= steps

    def _decided(self, trainer: pl.Trainer) -> tuple[bool, bool]:
        """Whether to save the state, and whether to stop: by the clock of the first process and by what it
        has heard, for all of them do either together."""
        now = time.monotonic() - self._saved >= self._seconds, self._stop.asked
        if trainer.world_size == 1:
            return now
        due, stop = trainer.strategy.broadcast(now)
        return bool(due), bool(stop)

    def _is_sound(self) -> bool:
        """What is good must not make room for what is broken."""
        return all(bool(weight.isfinite().all()) for weight in self._system.net.parameters())

    def _save_state(self, trainer: pl.Trainer) -> None:
        if self._is_sound():
            trainer.save_checkpoint(self._out / STATE)
            self._save(self._out / LAST)
            self._saved = time.monotonic()

    def _keep_epoch(self, trainer: pl.Trainer) -> None:
        epochs, within = divmod(trainer.global_step, self._epoch)
        if self._system.plan.keeps_epochs and not within and self._is_sound():
            self._save(self._out / EPOCH.format(epochs))

    @rank_zero_only
    def _save(self, path: Path) -> None:
        save(self._system, path, {**self._about, **self._diary.so_far()})
