"""Ctrl-C and SIGTERM: a run that has learned something ends between two steps, with its state saved."""

from __future__ import annotations

import os
import signal
from types import FrameType
from typing import Any

import pytorch_lightning as pl

SIGNALS = (signal.SIGINT, signal.SIGTERM)
STOPPING = "stopping after this step, and its look at the validation part if it has one; once more: at once\n"


class Stop(pl.Callback):
    """From the end of the first step to that of the last one it hears both signals, in Lightning's place, and
    the keeper, which asks between two steps, ends the run. Before and after there is nothing to wait for:
    either ends it at once, and so does a second one."""

    def __init__(self) -> None:
        self.asked = False
        self._tells = False
        self._before: dict[signal.Signals, Any] = {}

    def on_train_batch_end(
        self, trainer: pl.Trainer, lesson: pl.LightningModule, outputs: Any, batch: Any, step: int
    ) -> None:
        if self._before:
            return
        self._tells = trainer.is_global_zero
        self._before = {number: signal.getsignal(number) for number in SIGNALS}
        for number, usual in self._before.items():
            if usual != signal.SIG_IGN:  # as in processes that the first one ends
                signal.signal(number, self._hear)

    def on_train_end(self, trainer: pl.Trainer, lesson: pl.LightningModule) -> None:
        self._hear_no_more()

    def on_exception(self, trainer: pl.Trainer, lesson: pl.LightningModule, exception: BaseException) -> None:
        self._hear_no_more()

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            self._hear_no_more()
            raise KeyboardInterrupt
        self.asked = True
        if self._tells:
            os.write(2, STOPPING.encode())  # not by print, which may itself be what was interrupted

    def _hear_no_more(self) -> None:
        for number, usual in self._before.items():
            signal.signal(number, usual)
        self._before = {}
